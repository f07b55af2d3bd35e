// Emits contractions by blocks and register tiles, as a Blocking of the form
// kTiled describes.

#ifndef CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_
#define CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_

#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/Operands.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Emits the loops of `contraction` other than `contraction.outer` and
/// `contraction.outerSummed`. The caller has emitted these two, and advanced
/// `operands` to their current iteration. The code computes C = A * B if
/// `isFirst` (an i1), else C += A * B. `blocking.form` must be kTiled.
/// `scratch` is as for buildContraction() (BuildContraction.h).
void buildTiledContraction(KernelBuilder& builder,
                           const Contraction& contraction,
                           const Blocking& blocking, Operands operands,
                           ElementRef scratch, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_TILEDCONTRACTION_H_
