// A contraction as code: the loops that a Blocking describes.

#ifndef CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_
#define CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_

#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// Emits `contraction` of the operands `left` and `right`, in the order of the
/// equation, into `result`. `scratch` has room for blocking.scratchElements()
/// elements of the same type; the buffers do not overlap. Every element of the
/// result is summed in one order, whatever the other operands are. Unless
/// `isFirst` (an i1; null means true), adds to what the result holds already.
void buildContraction(KernelBuilder& builder, const Contraction& contraction,
                      const Blocking& blocking, ElementRef left,
                      ElementRef right, ElementRef result, ElementRef scratch,
                      mlir::Value isFirst = nullptr);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_
