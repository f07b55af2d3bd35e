// The rows of a tensor along one dimension, which softmax and normalisations
// process one by one.

#ifndef CODEGEN_INTERPRETER_EVALUATE_ROWS_H_
#define CODEGEN_INTERPRETER_EVALUATE_ROWS_H_

#include <cstdint>

#include "codegen/interpreter/evaluate/Walk.h"

namespace sbp::interpreter {

/// One row of `extent` elements. Element i of the row is element `at(i)` of the
/// dense tensor.
struct Row {
  int64_t begin = 0;
  int64_t stride = 1;
  int64_t extent = 0;
  int64_t at(int64_t index) const { return begin + index * stride; }
};

/// Calls `visit(Row)` for every row along dimension `dim` of a dense tensor of
/// shape `shape`.
template <typename Visit>
void forEachRow(ArrayRef<int64_t> shape, int64_t dim, Visit visit) {
  Strides strides = rowMajorStrides(shape);
  SmallVector<int64_t> outer(shape);
  outer[dim] = 1;
  walk(outer, std::array{strides},
       [&](auto offsets) { visit(Row{offsets[0], strides[dim], shape[dim]}); });
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATE_ROWS_H_
