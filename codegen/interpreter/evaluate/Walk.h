// Walks through an index space.
//
// Almost every op visits the points of an index space, in row-major order, and
// at each point accesses one element of each of its tensors. Each tensor has a
// stride per index of the space: the change of the tensor's offset when the
// index grows by one. A stride is 0 if the tensor does not depend on the index.
//
//   einsum "bi,ij->bj" on x[2, 3], w[3, 4]      space: b = 2, i = 3, j = 4
//     x   3 1 0        w   0 4 1        y   4 0 1
//
//   walk({2, 3, 4}, {x, w, y},
//        [&](auto at) { y[at[2]] += x[at[0]] * w[at[1]]; })

#ifndef CODEGEN_INTERPRETER_EVALUATE_WALK_H_
#define CODEGEN_INTERPRETER_EVALUATE_WALK_H_

#include <array>
#include <cstdint>

#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// Change of a tensor's offset, in elements, per index of a space.
using Strides = SmallVector<int64_t, 6>;

/// Returns the strides of a dense tensor of shape `shape` over its own
/// dimensions.
inline Strides rowMajorStrides(ArrayRef<int64_t> shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

/// Returns the strides of a dense tensor of shape `shape` over the dimensions
/// of the shape `to`, to which the tensor broadcasts.
inline Strides broadcastStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> to) {
  Strides own = rowMajorStrides(shape);
  Strides strides(to.size(), 0);
  size_t missing = to.size() - shape.size();
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] != 1) strides[missing + dim] = own[dim];
  return strides;
}

namespace detail {

template <size_t numTensors, typename Visit>
void walkFrom(size_t dim, ArrayRef<int64_t> extents,
              const std::array<Strides, numTensors>& strides,
              std::array<int64_t, numTensors> offsets, Visit& visit) {
  if (dim == extents.size()) {
    visit(offsets);
    return;
  }
  for (int64_t index = 0; index < extents[dim]; ++index) {
    walkFrom(dim + 1, extents, strides, offsets, visit);
    for (size_t tensor = 0; tensor < numTensors; ++tensor)
      offsets[tensor] += strides[tensor][dim];
  }
}

}  // namespace detail

/// Calls `visit` at every point of the space `extents`, in row-major order,
/// with the offsets of the tensors: a std::array<int64_t, numTensors>. A space
/// without indices has one point; a space with an extent of 0 has none.
template <size_t numTensors, typename Visit>
void walk(ArrayRef<int64_t> extents,
          const std::array<Strides, numTensors>& strides, Visit visit) {
  detail::walkFrom(0, extents, strides, std::array<int64_t, numTensors>{},
                   visit);
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATE_WALK_H_
