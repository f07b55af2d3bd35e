// Sliding windows of convolution and pooling.
//
// Along one dimension, output o depends on the inputs in its window:
//
//   input(o, k) = o * stride + k * dilation - low        k = 0 .. extent - 1
//
//   extent 3, stride 2, low 1:      input      0 1 2 3 4
//                                   o = 0   [- 0 1]
//                                   o = 1       [1 2 3]
//                                   o = 2           [3 4 -]    high 1
//
// Positions outside the input (-) are padding: `low` positions before its first
// element, `high` after its last one.
//
// The tensors of ops with windows are [samples, channels, space...], with one
// window per spatial dimension. The outputs along a spatial dimension may be
// split over devices while each device has the whole input. The op then has an
// operand `first` for each such dimension: the index of the first output of the
// rank's part.

#ifndef DIALECTS_NN_WINDOW_H_
#define DIALECTS_NN_WINDOW_H_

#include <cstdint>
#include <optional>

#include "dialects/support/LLVM.h"

namespace sbp::nn {

/// The window along one spatial dimension. All members are numbers of elements
/// of the input; `low` and `high` are the padding before and after it.
struct Window {
  int64_t extent = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t low = 0;
  int64_t high = 0;

  /// Number of inputs from the first to the last one of a window, inclusive.
  int64_t span() const { return (extent - 1) * dilation + 1; }

  /// Returns the index of the input at element `k` of the window of `output`.
  /// An index that is negative, or not below the input's extent, lies in the
  /// padding.
  int64_t inputOf(int64_t output, int64_t k) const {
    return output * stride + k * dilation - low;
  }

  /// Returns the number of windows in an input of `inputExtent` elements and
  /// its padding.
  int64_t numOutputs(int64_t inputExtent) const {
    int64_t room = inputExtent + low + high - span();
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// One window per spatial dimension.
using Windows = SmallVector<Window, 2>;

/// Returns one window per entry of `extents`. A missing list stands for 1
/// everywhere (strides, dilations) or 0 everywhere (low, high). Each list that
/// is given must have as many entries as `extents`.
Windows windowsOf(ArrayRef<int64_t> extents,
                  std::optional<ArrayRef<int64_t>> strides,
                  std::optional<ArrayRef<int64_t>> low,
                  std::optional<ArrayRef<int64_t>> high,
                  std::optional<ArrayRef<int64_t>> dilations);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_WINDOW_H_
