// A box (plan/Box.h) of a dense row-major tensor as rows of adjacent elements.
//
// If the box covers the trailing dimensions of the tensor completely, the
// elements along them are contiguous in memory. So a box often consists of a
// few long rows:
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
/// order. A row has `count` elements. Its first one has the index `wholeOffset`
/// in the tensor of `shape`, and the index `boxOffset` in a dense tensor of the
/// box's shape. An empty box has no rows.
void forEachRow(const std::vector<int64_t>& shape, const plan::Box& box,
                const std::function<void(int64_t, int64_t, int64_t)>& visit);

/// Copies `box` of the tensor `whole`, which has `shape`, to the dense tensor
/// `part`.
void takeBox(const std::byte* whole, const std::vector<int64_t>& shape,
             const plan::Box& box, int64_t elementBytes, std::byte* part);

/// Copies the dense tensor `part` to `box` of the tensor `whole`, which has
/// `shape`.
void putBox(const std::byte* part, const plan::Box& box, int64_t elementBytes,
            const std::vector<int64_t>& shape, std::byte* whole);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_ROWS_H_
