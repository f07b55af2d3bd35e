// The signature of a plan: the parameters and entries of the model, with whole
// tensors, as users see them.

#ifndef CODEGEN_PLAN_SIGNATURE_H_
#define CODEGEN_PLAN_SIGNATURE_H_

#include "codegen/plan/PlanGroups.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "passes/localize/WholeProgram.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the plan's description of a tensor called `name` of the placed type
/// `type`. Fails with a diagnostic at `op` if plans do not have its element
/// type, or if its mesh is not defined.
FailureOr<plan::Tensor> wholeTensor(Operation* op, StringRef name,
                                    RankedTensorType type, PlanGroups& groups);

/// Returns the plan's description of a parameter of a rank.program: its whole
/// tensor and its initial value. Fails with a diagnostic as wholeTensor does,
/// or if the parameter has no whole type.
FailureOr<plan::Parameter> wholeParameter(nn::ParameterOp parameter,
                                          PlanGroups& groups);

/// Returns the plan's description of an entry, with its whole inputs and
/// outputs, but without transfers. Fails with a diagnostic as wholeTensor does.
FailureOr<plan::Entry> planEntry(const WholeEntry& entry, PlanGroups& groups);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SIGNATURE_H_
