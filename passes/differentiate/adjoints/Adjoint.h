// An adjoint as a plain function, and how an op gets it.
//
//   Gradients ofTanh(nn::TanhOp op, Term g) {
//     Term y = g.at(op.getResult());
//     return {g * (1.0 - y * y)};
//   }
//   ... attachAdjoints<ofTanh>(context);
//
// The function takes the op and the gradient of its result, and returns the
// gradients of its operands in order: null where there is none, at the end left
// out. For ops of one result; an op with more implements
// DifferentiableOpInterface itself.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/support/LLVM.h"
#include "passes/differentiate/adjoints/Term.h"

namespace sbp {

using Gradients = SmallVector<Value, 3>;

/// The model of DifferentiableOpInterface that `rule` is.
template <auto rule>
struct AdjointModel;

template <typename OpType, Gradients (*rule)(OpType, Term)>
struct AdjointModel<rule>
    : nn::DifferentiableOpInterface::ExternalModel<AdjointModel<rule>, OpType> {
  using Op = OpType;

  LogicalResult buildAdjoint(
      Operation* op, OpBuilder& builder, ValueRange resultGradients,
      llvm::MutableArrayRef<Value> operandGradients) const {
    Gradients gradients =
        rule(llvm::cast<OpType>(op),
             Term(builder, op->getLoc(), resultGradients.front()));
    llvm::copy(gradients, operandGradients.begin());
    return success();
  }
};

/// Makes the ops that `rules` take differentiable in `context`.
template <auto... rules>
void attachAdjoints(MLIRContext* context) {
  (AdjointModel<rules>::Op::template attachInterface<AdjointModel<rules>>(
       *context),
   ...);
}

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
