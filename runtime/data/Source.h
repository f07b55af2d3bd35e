// Where the values of an input come from: samples by number.

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

/// The samples of one input of shape [batch, d1, d2, ...]; a sample has the
/// shape [d1, d2, ...]. The only sample of a scalar is its value.
class Source {
 public:
  virtual ~Source() = default;

  virtual int64_t numSamples() const = 0;

  /// Copies the elements of a sample that lie in `box` to the dense tensor
  /// `destination`, in the input's element type.
  virtual void copySample(Pick pick, const plan::Box& box,
                          std::byte* destination) const = 0;

  /// Whether check() may find anything.
  virtual bool isChecked() const = 0;

  /// Fails at a number of sample `sample` that the input does not take: an
  /// integer out of its range (plan::Tensor::below, or its type's), a number
  /// that is not finite as an element of the input.
  virtual absl::Status check(int64_t sample) const = 0;

  /// Fails, naming the file, if it has become shorter: what was read of it may
  /// be zeros.
  virtual absl::Status checkWhole() const = 0;

  /// Returns a note for people on how the file is read, if there is one.
  virtual std::optional<std::string> note() const = 0;
};

/// The rows of a .npy file; for an input that is a scalar, the one element of a
/// file that is a scalar too. Numbers of other types become the input's, as far
/// as StoredType.h has them. Fails if they cannot, or if the dimensions after
/// the first are not the input's.
absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input);

/// What an input takes of a position in a text.
enum class TextRole {
  kTokens,   // the token there
  kTargets,  // the next one
};

/// Tokens, cut into windows of `length` for an input of shape [batch, length]
/// and an integer type. If shuffled, the cuts lie elsewhere in each epoch, by
/// `seed`. Fails on another shape or type, on a file too short for one window,
/// and on a byte of a text that the input does not take.
absl::StatusOr<std::unique_ptr<Source>> makeTokenSource(
    std::shared_ptr<const TokenFile> file, TextRole role,
    const plan::Tensor& input, Order::Kind kind, uint64_t seed);

}  // namespace sbp::data

#endif  // RUNTIME_DATA_SOURCE_H_
