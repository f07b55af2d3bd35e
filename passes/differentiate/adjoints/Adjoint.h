// Attaches an adjoint, written as a plain function, to its op.
//
//   Gradients ofTanh(nn::TanhOp op, Term g) {
//     Term y = g.at(op.getResult());
//     return {g * (1.0 - y * y)};
//   }
//   ... attachAdjoints<ofTanh>(context);
//
// The function takes the op and the gradient of its result. It returns the
// gradients of the operands in order. A gradient is null if the operand has
// none; null gradients at the end may be left out. This is for ops with one
// result. An op with several results must implement DifferentiableOpInterface
// itself.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/support/LLVM.h"
#include "passes/differentiate/adjoints/Term.h"

namespace sbp {

/// The gradients of an op's operands.
using Gradients = SmallVector<Value, 3>;

/// Implements DifferentiableOpInterface for `OpType` by the adjoint `rule`.
/// `Model` must be the class that derives from this one. It may implement
/// further methods of the interface.
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

/// Implements DifferentiableOpInterface by the adjoint `rule`, without further
/// methods.
template <auto rule>
struct AdjointModel;

template <typename OpType, Gradients (*rule)(OpType, Term)>
struct AdjointModel<rule> : AdjointModelOf<AdjointModel<rule>, OpType, rule> {
  using Op = OpType;
};

/// Makes ops differentiable in `context`: attaches each of `rules` to its op.
template <auto... rules>
void attachAdjoints(MLIRContext* context) {
  (AdjointModel<rules>::Op::template attachInterface<AdjointModel<rules>>(
       *context),
   ...);
}

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_ADJOINT_H_
