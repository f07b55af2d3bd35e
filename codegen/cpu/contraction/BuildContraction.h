// Emits the code of a contraction: the loops that a Blocking describes.

#ifndef CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_
#define CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_

#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// Emits `contraction` of the operands `left` and `right`, in the order of the
/// equation, into `result`: result = product if `isFirst` (an i1; null means
/// true), else result += product. `blocking` must be a result of
/// chooseBlocking() for `contraction`. `scratch` has room for
/// blocking.scratchElements() elements of the same type, and is not used if
/// that number is 0. The buffers must not overlap. The order in which the terms
/// of an element of the result are added depends on `contraction` and
/// `blocking` alone.
void buildContraction(KernelBuilder& builder, const Contraction& contraction,
                      const Blocking& blocking, ElementRef left,
                      ElementRef right, ElementRef result, ElementRef scratch,
                      mlir::Value isFirst = nullptr);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BUILDCONTRACTION_H_
