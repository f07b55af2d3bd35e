// Which part of a whole tensor a rank holds.
//
// Under any placement a rank's part is a box: one range of indices per
// dimension. An axis that splits a dimension cuts the range that the axes
// before it left, evenly, rounding down; index i of n gets [i*e/n, (i+1)*e/n).
// For an extent of 10 on a group of 2 x 2, split over both axes:
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

/// Part `index` of `count` of `whole`.
Range evenPart(Range whole, int64_t index, int64_t count);

/// The coordinates of `rank`, which is of `group`, one per axis.
std::vector<int64_t> coordinatesOf(const Group& group, int64_t rank);

/// The part of an extent that is split over `axes` of `group`, in this order,
/// that falls to the rank at `coordinates`.
Range nestedPart(const Group& group, const std::vector<int64_t>& axes,
                 const std::vector<int64_t>& coordinates, int64_t extent);

/// One range per dimension; none for a scalar.
using Box = std::vector<Range>;

/// The box of `tensor`, which lies on `group`, that `rank` of it holds.
Box localBox(const Group& group, const Tensor& tensor, int64_t rank);

/// The extents of a box.
std::vector<int64_t> shapeOf(const Box& box);

/// Product of extents; 1 for a scalar.
int64_t numElements(const std::vector<int64_t>& shape);

/// Bytes of the box of `tensor`, which lies on `group`, that `rank` holds; 0 if
/// it is not of the group.
int64_t localBytes(const Group& group, const Tensor& tensor, int64_t rank);

/// True on one rank of each set that holds equal copies: the one whose
/// coordinate is 0 on every axis on which the tensor is broadcast. The
/// principal ranks' boxes cover a whole tensor once (a partial one: once with
/// each term). No rank is one that is not of the group.
bool isPrincipal(const Group& group, const Tensor& tensor, int64_t rank);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_BOX_H_
