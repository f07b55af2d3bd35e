// Where the values of an input come from: samples by number.

#ifndef RUNTIME_DATA_SOURCE_H_
#define RUNTIME_DATA_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/data/Order.h"
#include "runtime/file/MappedFile.h"
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

  /// Fails at a number of sample `sample` that the input does not take: an
  /// integer out of its range (plan::Tensor::below), an f32 that is not finite.
  /// Of a text nothing: it is looked through when it is opened.
  virtual absl::Status check(int64_t sample) const { return absl::OkStatus(); }
};

/// The rows of a .npy file; for an input that is a scalar, the one element of a
/// file that is a scalar too. Fails if the element type or the dimensions after
/// the first are not the input's; but of an input of bf16 the file has f32,
/// which are rounded.
absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input);

/// What an input takes of a position in a text.
enum class TextRole {
  kTokens,   // the byte there
  kTargets,  // the next one
};

/// A text, whose bytes are tokens, cut into windows of `length` for an input of
/// shape [batch, length] and an integer type. If shuffled, the cuts lie
/// elsewhere in each epoch, by `seed`. Fails on another shape or type, on a
/// text too short for one window, and on a byte that the input does not take.
absl::StatusOr<std::unique_ptr<Source>> makeTextSource(
    std::shared_ptr<const file::MappedFile> text, const std::string& path,
    TextRole role, const plan::Tensor& input, Order::Kind kind, uint64_t seed);

}  // namespace sbp::data

#endif  // RUNTIME_DATA_SOURCE_H_
