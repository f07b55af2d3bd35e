// Numerically stable exponentials of rows, for softmax and cross-entropy.

#ifndef CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_
#define CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/Rows.h"

namespace sbp {

/// The maximum of each row x of a block, and the sum of exp(x - max), as
/// vectors in the form of a result of Rows::reduce. The maximum may ignore
/// NaNs; a NaN in the row makes the sum NaN.
struct RowExponentials {
  mlir::Value max;
  mlir::Value sum;
};

/// Emits two passes over the rows of `input`, for the maximum and for the sum.
/// Calls `visit`, if given, with the position and exp(x - max) of each vector
/// in the second pass.
RowExponentials sumExponentials(
    Rows& rows, Arithmetic& x, ElementRef input,
    llvm::function_ref<void(Rows::At, mlir::Value)> visit = nullptr);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_ROWEXPONENTIALS_H_
