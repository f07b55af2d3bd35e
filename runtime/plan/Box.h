// The box of a tensor: the part of the whole tensor that a rank holds.
//
// Under any placement a rank's part is a box: one range of indices per
// dimension. An axis that splits a dimension cuts the range that the previous
// axes have left into parts of nearly equal size. If an extent e is cut into n
// parts, part i is [i*e/n, (i+1)*e/n), with both bounds rounded down. For an
// extent of 10 on a group of 2 x 2, split over both axes:
//
//   rank        0       1       2       3
//   axis 0   [0,5)   [0,5)   [5,10)  [5,10)
//   axis 1   [0,2)   [2,5)   [5,7)   [7,10)
//
// Broadcast and partial components leave the range alone.

#ifndef RUNTIME_PLAN_BOX_H_
#define RUNTIME_PLAN_BOX_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// The indices [begin, begin + size).
struct Range {
  int64_t begin = 0;
  int64_t size = 0;
};

/// Returns part `index`, counted from 0, of `whole`, which is cut into `count`
/// parts.
Range evenPart(Range whole, int64_t index, int64_t count);

/// Returns the coordinates of `rank` in `group`, one per axis. The rank must be
/// in the group.
std::vector<int64_t> coordinatesOf(const Group& group, int64_t rank);

/// Returns the part of [0, extent) that a rank holds when the extent is split
/// over `axes` of `group`, in this order. `coordinates` are the rank's
/// coordinates on all axes of the group.
Range nestedPart(const Group& group, const std::vector<int64_t>& axes,
                 const std::vector<int64_t>& coordinates, int64_t extent);

/// One range per dimension; empty for a scalar.
using Box = std::vector<Range>;

/// Returns the box of `tensor` that `rank` holds. The tensor lies on `group`,
/// and the rank must be in it.
Box localBox(const Group& group, const Tensor& tensor, int64_t rank);

/// Returns the extents of `box`.
std::vector<int64_t> shapeOf(const Box& box);

/// Returns the product of the extents; 1 for a scalar.
int64_t numElements(const std::vector<int64_t>& shape);

/// Returns the size in bytes of the box of `tensor` that `rank` holds; 0 if the
/// rank is not in `group`, on which the tensor lies.
int64_t localBytes(const Group& group, const Tensor& tensor, int64_t rank);

/// Whether `rank` is principal: among ranks that hold equal copies of a box,
/// the one whose coordinate is 0 on every axis on which the tensor is
/// broadcast. The boxes of all principal ranks together cover the whole tensor
/// exactly once, or, if the tensor is partial, once per term. False for ranks
/// outside `group`.
bool isPrincipal(const Group& group, const Tensor& tensor, int64_t rank);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_BOX_H_
