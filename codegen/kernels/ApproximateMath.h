// A pass that replaces elementary functions by arithmetic.
//
// A loop that calls `expf` stays scalar, which makes it twenty to forty times
// slower than a loop on vectors, and needs the libm of a C library. This pass
// replaces exp, log, tanh, erf, sin, ... by polynomials of a few f32 operations
// (error below 1e-6), which LLVM vectorises as any other arithmetic. The
// remaining functions (sqrt, floor, ...) are single instructions.

#ifndef CODEGEN_KERNELS_APPROXIMATEMATH_H_
#define CODEGEN_KERNELS_APPROXIMATEMATH_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

/// Creates the pass, which rewrites ops on scalars and on vectors. If the
/// target has no fused multiply-add, `math.fma` becomes a product and a sum,
/// because LLVM would otherwise call libm.
std::unique_ptr<mlir::Pass> createApproximateMathPass(bool hasFusedMultiplyAdd);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_APPROXIMATEMATH_H_
