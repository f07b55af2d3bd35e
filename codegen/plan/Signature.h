// What a plan tells people: the parameters and entries of a model, whole.

#ifndef CODEGEN_PLAN_SIGNATURE_H_
#define CODEGEN_PLAN_SIGNATURE_H_

#include "codegen/plan/PlanGroups.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "passes/localize/WholeProgram.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// A tensor called `name` that lies as `type`, a placed type, says. Fails with
/// a diagnostic at `op` if plans do not know its element type or its mesh.
FailureOr<plan::Tensor> wholeTensor(Operation* op, StringRef name,
                                    RankedTensorType type, PlanGroups& groups);

/// A parameter of a local program, as it is whole.
FailureOr<plan::Parameter> wholeParameter(nn::ParameterOp parameter,
                                          PlanGroups& groups);

/// An entry, its tensors as they are whole, without its transfers.
FailureOr<plan::Entry> planEntry(const WholeEntry& entry, PlanGroups& groups);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SIGNATURE_H_
