// A box of a dense row-major tensor as runs of adjacent elements.
//
// Dimensions that the box has whole, from the last on, lie together in memory;
// so a box is a few contiguous rows rather than many elements:
//
//   tensor<2x6x5>, box [0,2) x [2,4) x [0,5)   ->   2 rows of 2*5 elements

#ifndef RUNTIME_TENSOR_ROWS_H_
#define RUNTIME_TENSOR_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/plan/Box.h"

namespace sbp::tensor {

/// Calls `visit(wholeOffset, boxOffset, count)` for each row of `box`, in
/// order: where its elements begin in the tensor of `shape`, where in a dense
/// tensor of the box's own shape, and how many there are. No call for an empty
/// box.
void forEachRow(const std::vector<int64_t>& shape, const plan::Box& box,
                const std::function<void(int64_t, int64_t, int64_t)>& visit);

/// Copies `box` of the tensor `whole` to the dense tensor `part`.
void takeBox(const std::byte* whole, const std::vector<int64_t>& shape,
             const plan::Box& box, int64_t elementBytes, std::byte* part);

/// Copies the dense tensor `part` to `box` of the tensor `whole`.
void putBox(const std::byte* part, const plan::Box& box, int64_t elementBytes,
            const std::vector<int64_t>& shape, std::byte* whole);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_ROWS_H_
