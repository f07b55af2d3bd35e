// Windows that slide over a tensor: what convolution and pooling have in
// common.
//
// Along one dimension, output o sees the inputs at which its window stands:
//
//   input(o, k) = o * stride + k * dilation - low        k = 0 .. extent - 1
//
//   extent 3, stride 2, low 1:      input      0 1 2 3 4
//                                   o = 0   [- 0 1]
//                                   o = 1       [1 2 3]
//                                   o = 2           [3 4 -]    high 1
//
// What lies outside the input (-) is padding: `low` positions before its first
// element, `high` after its last one.
//
// Tensors of windowed ops are [samples, channels, space...], with a window for
// each dimension of space. The outputs of a window may be split over devices
// while the input is whole on each; a rank's part of them begins at the output
// that its operand `first` says.

#ifndef DIALECTS_NN_WINDOW_H_
#define DIALECTS_NN_WINDOW_H_

#include <cstdint>
#include <optional>

#include "dialects/support/LLVM.h"

namespace sbp::nn {

struct Window {
  int64_t extent = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t low = 0;
  int64_t high = 0;

  /// From the first input that a window sees to the one after its last.
  int64_t span() const { return (extent - 1) * dilation + 1; }

  /// The input that element `k` of window `output` sees; it may be padding.
  int64_t inputOf(int64_t output, int64_t k) const {
    return output * stride + k * dilation - low;
  }

  /// How many windows fit into an input of `inputExtent` with its padding.
  int64_t numOutputs(int64_t inputExtent) const {
    int64_t room = inputExtent + low + high - span();
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// One per dimension of space.
using Windows = SmallVector<Window, 2>;

/// Windows of these extents. A list that is missing is 1 (strides, dilations)
/// or 0 (low, high) everywhere; each must have as many entries as `extents`.
Windows windowsOf(ArrayRef<int64_t> extents,
                  std::optional<ArrayRef<int64_t>> strides,
                  std::optional<ArrayRef<int64_t>> low,
                  std::optional<ArrayRef<int64_t>> high,
                  std::optional<ArrayRef<int64_t>> dilations);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_WINDOW_H_
