// A pass that replaces elementary functions by arithmetic.
//
// A loop that calls `expf` stays scalar, which makes it many times slower than
// a loop on vectors, and needs the libm of a C library. This pass replaces exp,
// log, tanh, erf, sin, ... of f32 by polynomials, which LLVM vectorises like
// any other arithmetic. Tests allow the polynomials an error of 4e-6
// (codegen/kernels/testing/Kernels.cpp). Two functions remain, because each is
// a single instruction: sqrt, and floor, which the polynomial of exp contains.

#ifndef CODEGEN_KERNELS_APPROXIMATEMATH_H_
#define CODEGEN_KERNELS_APPROXIMATEMATH_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

/// Creates the pass. It rewrites ops on scalars and on vectors. Without
/// `hasFusedMultiplyAdd` it also rewrites each `math.fma` as a product and a
/// sum, because LLVM would call libm for it.
std::unique_ptr<mlir::Pass> createApproximateMathPass(bool hasFusedMultiplyAdd);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_APPROXIMATEMATH_H_
