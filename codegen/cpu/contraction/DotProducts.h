// Contractions of a matrix with a vector where both are contiguous along k:
// vectors along k, and a sum over lanes at the end.

#ifndef CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_
#define CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_

#include "codegen/cpu/contraction/Operands.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Emits the loops m, n and k of `contraction`, of which m or n is a single
/// iteration, in vectors of `lanes`: C = A * B if `isFirst`, else C += A * B.
void buildDotProducts(KernelBuilder& builder, const Contraction& contraction,
                      int64_t lanes, Operands operands, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_DOTPRODUCTS_H_
