// Elementary functions as arithmetic.
//
// A call of `expf` in a loop keeps the loop scalar, twenty to forty times
// slower than the same loop on vectors, and ties the program to a C library's
// libm. This pass replaces exp, log, tanh, erf, sin, ... by polynomials of a
// few f32 operations (error below 1e-6), which LLVM's loop vectoriser takes
// like any other arithmetic. What remains (sqrt, floor, ...) is an instruction.

#ifndef CODEGEN_KERNELS_APPROXIMATEMATH_H_
#define CODEGEN_KERNELS_APPROXIMATEMATH_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

/// Works on scalars and vectors. Without hardware for fused multiply-add,
/// `math.fma` becomes a product and a sum: the fused one would be a libm call.
std::unique_ptr<mlir::Pass> createApproximateMathPass(bool hasFusedMultiplyAdd);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_APPROXIMATEMATH_H_
