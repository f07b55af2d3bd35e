// Exponentials of a row, stably: what softmax and cross-entropy have in common.

#ifndef CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_
#define CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/Rows.h"

namespace sbp {

/// Of each row x of a block: max(x), and the sum of exp(x - max).
struct RowExponentials {
  mlir::Value max;
  mlir::Value sum;
};

/// Emits two passes over `input`. `visit`, if given, gets exp(x - max) of each
/// vector as it is summed.
RowExponentials sumExponentials(
    Rows& rows, Arithmetic& x, Place input,
    llvm::function_ref<void(Rows::At, mlir::Value)> visit = nullptr);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_
