// What a plan tells people: the parameters and entries of a model, whole.

#ifndef CODEGEN_PLAN_SIGNATURE_H_
#define CODEGEN_PLAN_SIGNATURE_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// A parameter of a local program, as it is whole. Fails with a diagnostic if
/// it does not say so by `rank.whole`.
FailureOr<plan::Parameter> wholeParameter(nn::ParameterOp parameter);

/// An entry of a local program, its tensors as they are whole. Fails with a
/// diagnostic at an argument or result that does not say so by `rank.whole`.
FailureOr<plan::Entry> wholeEntry(mlir::func::FuncOp entry);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SIGNATURE_H_
