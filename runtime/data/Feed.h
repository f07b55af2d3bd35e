// The data of an entry's inputs, batch by batch.
//
// The first dimension of every input is the batch; all inputs have the same
// batch size. Every rank opens the same files and computes the same order of
// samples. It copies only its own box (plan/Box.h) of each batch, which the
// placement of the input determines.

#ifndef RUNTIME_DATA_FEED_H_
#define RUNTIME_DATA_FEED_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/data/Order.h"
#include "runtime/data/Source.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp::data {

/// A file for a tensor, as in `--data name=path`.
struct NamedPath {
  std::string name;
  std::string path;
};

/// The sources of an entry's inputs, as the command line gives them.
struct FeedOptions {
  std::vector<NamedPath> files;  // .npy files, by the input's name
  std::string textPath;          // a text; empty: none
  std::string tokensPath;        // token ids, instead of a text
  tensor::StoredType tokenType = tensor::StoredType::kU16;  // of token ids
  std::vector<std::string> inputsWithoutData;  // names; the caller fills them
  Order::Kind order = Order::Kind::kShuffled;
  uint64_t seed = 0;
};

/// A file that feeds an input.
struct InputFile {
  std::string path;
  std::string readAs;  // type of token ids, such as "u16"; else empty
};

/// The data of an entry's inputs on one rank.
class Feed {
 public:
  /// Opens the sources of the inputs of `entry` for rank `rank`; `groups` are
  /// the plan's groups. A text or token ids feed the inputs `tokens` and
  /// `targets`. If there are no inputs with these names, they feed the first
  /// two inputs of i32 or i64 of shape [batch, length], not counting inputs
  /// that have a .npy file. Fails
  ///
  /// - if an input has no data or two files, or data has no input;
  /// - if a file cannot be read, or its type or shape does not suit its input;
  /// - if inputs have different batch sizes, files have different numbers of
  ///   samples, or there are fewer samples than a batch.
  static absl::StatusOr<Feed> open(const plan::Entry& entry,
                                   const FeedOptions& options,
                                   const std::vector<plan::Group>& groups,
                                   int64_t rank);

  /// Returns the number of samples in a batch; 1 if no input has samples.
  int64_t batch() const { return batchSize; }

  /// Returns the number of whole batches in the data; 1 if no input has
  /// samples.
  int64_t numBatches() const { return numSamples / batchSize; }

  /// Returns the number of samples that remain after all whole batches.
  int64_t numLeftOver() const { return numSamples % batchSize; }

  /// Returns the number of tokens in a batch if a text or token ids are read;
  /// otherwise 0.
  int64_t numTokens() const { return tokensPerBatch; }

  /// The files that feed inputs, by the input's name.
  const std::map<std::string, InputFile>& files() const { return inputFiles; }

  /// Returns messages for users on how files are read, each message once.
  std::vector<std::string> notes() const;

  /// Makes step `step` begin at position `sample` of the stream (Order.h). So a
  /// run that continues another one, with another batch size, begins after the
  /// samples that the other one has read. Without this call, step s begins at
  /// position s * batch().
  void continueAt(int64_t step, int64_t sample) {
    offset = sample - step * batchSize;
  }

  /// Returns the position in the stream at which step `step` begins.
  int64_t positionOf(int64_t step) const { return offset + step * batchSize; }

  /// Checks the samples of steps [firstStep, lastStep). Fails at the first
  /// number that the input does not take (Source::check); the error says where
  /// the number is, and which numbers the input takes. This call checks only
  /// part `part` of `numParts` parts of the samples, so that ranks can divide
  /// the work. It may also find a number that only other steps read. Also fails
  /// if checkWhole() does.
  absl::Status check(int64_t firstStep, int64_t lastStep, int64_t part,
                     int64_t numParts) const;

  /// Fills `inputs`, this rank's parts of Entry::inputs, with the batch of step
  /// `step`. Leaves inputs unchanged that the caller fills
  /// (FeedOptions::inputsWithoutData) or that do not lie on this rank. Fails if
  /// the rank's device fails.
  absl::Status load(int64_t step,
                    const std::vector<device::LocalTensor>& inputs) const;

  /// Fails, naming the file, if a file has become shorter since it was opened
  /// or could not be read. Data that was loaded from it may then be zeros.
  absl::Status checkWhole() const;

 private:
  /// An input and its source.
  struct Channel {
    size_t input = 0;  // index into Entry::inputs
    std::unique_ptr<Source> source;
    plan::Range rows;      // this rank's samples of the batch
    plan::Box box;         // this rank's box of a sample
    int64_t rowBytes = 0;  // size of that box
    bool isHere = true;    // whether the input lies on this rank
    bool isScalar = false;
  };

  Feed() = default;

  /// Fills this rank's part of one input.
  void load(const Channel& channel, int64_t step, std::byte* destination) const;

  /// check() without checkWhole().
  absl::Status checkNumbers(int64_t firstStep, int64_t lastStep, int64_t part,
                            int64_t numParts) const;

  /// Checks part `part` of `numParts` of the positions [0, count). `sampleAt`
  /// returns the sample at a position.
  template <typename SampleAt>
  absl::Status checkSamples(SampleAt sampleAt, int64_t count, int64_t part,
                            int64_t numParts) const;

  /// Adds an input, and checks its batch size and number of samples against the
  /// inputs before it.
  absl::Status add(const plan::Entry& entry, size_t input,
                   const InputFile& file, std::unique_ptr<Source> source,
                   const std::vector<plan::Group>& groups, int64_t rank);

  std::vector<Channel> channels;
  // The first input and its file, with whose sizes those of others must agree.
  std::string firstInput, firstPath;
  std::map<std::string, InputFile> inputFiles;
  int64_t batchSize = 1;
  int64_t offset = 0;  // positionOf(step) - step * batchSize
  int64_t numSamples = 1;
  int64_t tokensPerBatch = 0;
  std::optional<Order> order;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_FEED_H_
