// Converts element types of MLIR to those of a plan.

#ifndef CODEGEN_PLAN_ELEMENTTYPES_H_
#define CODEGEN_PLAN_ELEMENTTYPES_H_

#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the element type of `type`. Fails with a diagnostic at `op` if plans
/// do not have it.
inline FailureOr<plan::ElementType> planElementType(Operation* op,
                                                    RankedTensorType type) {
  Type element = type.getElementType();
  if (element.isF32()) return plan::ElementType::kF32;
  if (element.isBF16()) return plan::ElementType::kBF16;
  if (element.isSignlessInteger(32)) return plan::ElementType::kI32;
  if (element.isSignlessInteger(64)) return plan::ElementType::kI64;
  if (element.isSignlessInteger(1)) return plan::ElementType::kI1;
  return op->emitOpError()
         << "has a tensor of " << element
         << "; a compiled program has f32, bf16, i32, i64 and "
            "i1";
}

}  // namespace sbp

#endif  // CODEGEN_PLAN_ELEMENTTYPES_H_
