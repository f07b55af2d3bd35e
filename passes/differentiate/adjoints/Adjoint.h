// Attaches an adjoint that is written as a plain function to its op.
//
//   Gradients ofTanh(nn::TanhOp op, Term g) {
//     Term y = g.at(op.getResult());
//     return {g * (1.0 - y * y)};
//   }
//   ... attachAdjoints<ofTanh>(context);
//
// The function takes the op and the gradient of its result. It returns the
// gradients of the operands in order, null for operands without a gradient;
// trailing ones may be left out. This is for ops with one result; an op with
// several results implements DifferentiableOpInterface itself.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/support/LLVM.h"
#include "passes/differentiate/adjoints/Term.h"

namespace sbp {

/// The gradients of an op's operands.
using Gradients = SmallVector<Value, 3>;

/// The implementation of DifferentiableOpInterface for `OpType` by the adjoint
/// `rule`. `Model` is the class that derives from this one, and may implement
/// further methods.
template <typename Model, typename OpType, Gradients (*rule)(OpType, Term)>
struct AdjointModelOf
    : nn::DifferentiableOpInterface::ExternalModel<Model, OpType> {
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

/// The implementation of DifferentiableOpInterface by the adjoint `rule` alone.
template <auto rule>
struct AdjointModel;

template <typename OpType, Gradients (*rule)(OpType, Term)>
struct AdjointModel<rule> : AdjointModelOf<AdjointModel<rule>, OpType, rule> {
  using Op = OpType;
};

/// Makes ops differentiable in `context`: attaches to each op its adjoint, one
/// of `rules`.
template <auto... rules>
void attachAdjoints(MLIRContext* context) {
  (AdjointModel<rules>::Op::template attachInterface<AdjointModel<rules>>(
       *context),
   ...);
}

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
