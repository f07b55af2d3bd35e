// Sources of the data of an input.

#ifndef RUNTIME_DATA_SOURCE_H_
#define RUNTIME_DATA_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/data/Order.h"
#include "runtime/data/TokenFile.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp::data {

/// The samples of one input of shape [batch, d1, d2, ...]. A sample has the
/// shape [d1, d2, ...]. An input that is a scalar has one sample, its value.
class Source {
 public:
  virtual ~Source() = default;

  virtual int64_t numSamples() const = 0;

  /// Copies `box` of sample `pick` to the dense tensor `destination`, converted
  /// to the input's element type.
  virtual void copySample(EpochSample pick, const plan::Box& box,
                          std::byte* destination) const = 0;

  /// Whether check() can fail for some sample.
  virtual bool needsCheck() const = 0;

  /// Fails if sample `sample` has a number that the input does not take. This
  /// is an integer out of the input's range (plan::Tensor::below, or the range
  /// of its type), or a number that is not finite in the input's type. The
  /// tokens of a sample may differ from epoch to epoch; checks those of all
  /// epochs.
  virtual absl::Status check(int64_t sample) const = 0;

  /// Fails, naming the file, if it has become shorter since it was opened or
  /// could not be read. Data that was read from it may then be zeros.
  virtual absl::Status checkWhole() const = 0;

  /// Returns a message for users on how the file is read; nullopt if there is
  /// nothing to say.
  virtual std::optional<std::string> note() const = 0;
};

/// Opens a .npy file in which the index of the first dimension is that of the
/// sample; for a scalar input, a file with a scalar. Numbers are converted to
/// the input's type (StoredType.h). Fails if NpyFile::open fails, if the types
/// cannot be converted, or if the dimensions after the first differ from the
/// input's.
absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input);

/// The token that an input has for each position of a text.
enum class TextRole {
  kTokens,   // the token at the position
  kTargets,  // the token after that at the position
};

/// Makes a source that cuts tokens into windows of `length` for an input of i32
/// or i64 of shape [batch, length]. If the order is shuffled, and the file has
/// more than 2 * length tokens, the first window of each epoch begins at a
/// random offset in [0, length), which depends on `seed`. Fails if the input
/// has another type or number of dimensions, if the file has fewer than length
/// + 1 tokens, or if the file is a text and has a byte that the input does not
/// take.
absl::StatusOr<std::unique_ptr<Source>> makeTokenSource(
    std::shared_ptr<const TokenFile> file, TextRole role,
    const plan::Tensor& input, Order::Kind kind, uint64_t seed);

}  // namespace sbp::data

#endif  // RUNTIME_DATA_SOURCE_H_
