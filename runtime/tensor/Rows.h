// A box of a dense row-major tensor as rows of adjacent elements.
//
// Trailing dimensions that the box contains completely are contiguous in
// memory. So a box consists of a few contiguous rows rather than many elements:
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
/// order: the index of its first element in the tensor of `shape`, its index in
/// a dense tensor of the box's shape, and the number of elements. An empty box
/// has no rows.
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
