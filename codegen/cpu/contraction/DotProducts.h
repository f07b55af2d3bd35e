// Contractions of a matrix with a vector, both contiguous along k. The vectors
// of the code run along k, and their lanes are summed at the end.

#ifndef CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_
#define CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_

#include "codegen/cpu/contraction/Operands.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Emits the loops m, n and k of `contraction`, where m or n has a single
/// iteration, in vectors of `lanes` elements: C = A * B if `isFirst` (an i1),
/// else C += A * B. `operands` are advanced to the current iteration of the
/// other loops.
void buildDotProducts(KernelBuilder& builder, const Contraction& contraction,
                      int64_t lanes, Operands operands, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_
