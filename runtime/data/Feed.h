// What an entry's inputs get, batch by batch.
//
// The batch is the first extent of the inputs, the same for all of them. Every
// rank opens the same files, computes the same order of samples, and copies
// just the box of each batch that its inputs' placements give it.

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
#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp::data {

/// `--data name=path` or the like.
struct NamedPath {
  std::string name;
  std::string path;
};

struct FeedOptions {
  std::vector<NamedPath> files;  // .npy, by the input's name
  std::string textPath;          // empty: none
  std::string tokensPath;        // of token ids, in place of a text
  tensor::StoredType tokenType = tensor::StoredType::kU16;  // of those
  std::vector<std::string> given;  // inputs that somebody else fills
  Order::Kind order = Order::Kind::kShuffled;
  uint64_t seed = 0;
};

/// A file that feeds an input.
struct FedFile {
  std::string path;
  std::string
      reading;  // as what it is read, where the file does not say: "u16"
};

class Feed {
 public:
  /// Opens what the inputs of `entry` are fed from. A text, or a file of token
  /// ids, feeds the inputs `tokens` and `targets`; if there is no `tokens`, the
  /// first two inputs of integers and shape [batch, length]. Fails, with both
  /// facts, on an input without data, data without input, shapes or types that
  /// differ, and on files with different numbers of samples or less than a
  /// batch.
  static absl::StatusOr<Feed> open(const plan::Entry& entry,
                                   const FeedOptions& options,
                                   const std::vector<plan::Group>& groups,
                                   int64_t rank);

  /// Samples in a batch; 1 if no input has samples.
  int64_t batch() const { return batchSize; }

  /// Whole batches in the data; 1 if no input has samples.
  int64_t numBatches() const { return numSamples / batchSize; }

  /// Samples of the data that whole batches leave over.
  int64_t numLeftOver() const { return numSamples % batchSize; }

  /// Elements of the tokens of a batch if a text or token ids are read, else 0.
  int64_t numTokens() const { return tokensPerBatch; }

  /// The file that feeds each input which is fed from one, by the input's name.
  const std::map<std::string, FedFile>& files() const { return inputFiles; }

  /// Returns notes for people on how files are read, one for each.
  std::vector<std::string> notes() const;

  /// Makes step `step` read from position `sample` of the stream on: what steps
  /// of another batch have read is not read again. Without it, step s begins at
  /// s * batch().
  void goOnAt(int64_t step, int64_t sample) {
    offset = sample - step * batchSize;
  }

  /// The position in the stream at which step `step` begins.
  int64_t positionOf(int64_t step) const { return offset + step * batchSize; }

  /// Looks through the samples of steps [firstStep, lastStep) for numbers that
  /// their input does not take, integers out of its range and numbers that are
  /// not finite; part `part` of `numParts` of them, so that ranks can share the
  /// work. Fails at the first, with its place and what the input takes, and at
  /// a file that has become shorter.
  absl::Status check(int64_t firstStep, int64_t lastStep, int64_t part,
                     int64_t numParts) const;

  /// Fills this rank's parts of the inputs with batch `step`. `buffers` are
  /// those of the entry's inputs, in its order; inputs that somebody else fills
  /// are left alone.
  void load(int64_t step, const std::vector<std::byte*>& buffers) const;

  /// Fails, naming it, if a file has become shorter: what was loaded of it may
  /// be zeros.
  absl::Status checkWhole() const;

 private:
  /// One input with its data.
  struct Channel {
    size_t input = 0;  // index in the entry
    std::unique_ptr<Source> source;
    plan::Range rows;  // of the batch, this rank's
    plan::Box box;     // of a sample, this rank's
    int64_t rowBytes = 0;
    bool isHere = true;  // this rank has a part of the input
    bool isScalar = false;
  };

  Feed() = default;

  absl::Status checkNumbers(int64_t firstStep, int64_t lastStep, int64_t part,
                            int64_t numParts) const;

  /// checkNumbers() of part `part` of the positions from 0 to `count`, of whose
  /// samples `sampleAt` gives the numbers.
  template <typename SampleAt>
  absl::Status checkSamples(SampleAt sampleAt, int64_t count, int64_t part,
                            int64_t numParts) const;

  /// Adds a channel, and checks it against those before it.
  absl::Status add(const plan::Entry& entry, size_t input, const FedFile& file,
                   std::unique_ptr<Source> source,
                   const std::vector<plan::Group>& groups, int64_t rank);

  std::vector<Channel> channels;
  std::string firstInput, firstPath;  // whose samples the others must match
  std::map<std::string, FedFile> inputFiles;
  int64_t batchSize = 1;
  int64_t offset = 0;  // of the stream's positions from step * batchSize
  int64_t numSamples = 1;
  int64_t tokensPerBatch = 0;
  std::optional<Order> order;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_FEED_H_
