// Emits contractions by blocks and register tiles, as a Blocking describes.

#ifndef CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_
#define CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_

#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/Operands.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Emits all loops of `contraction` except `outer` and `outerSummed`: C = A * B
/// if `isFirst` (an i1), else C += A * B. `operands` are advanced to the
/// current iteration of `outer` and `outerSummed`. `scratch` is as in
/// buildContraction().
void buildTiledContraction(KernelBuilder& builder,
                           const Contraction& contraction,
                           const Blocking& blocking, Operands operands,
                           ElementRef scratch, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_
