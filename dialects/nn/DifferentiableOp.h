// The interface of ops that can be differentiated: they build their adjoint.

#ifndef DIALECTS_NN_DIFFERENTIABLEOP_H_
#define DIALECTS_NN_DIFFERENTIABLEOP_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// The names of the attributes by which the ops of the backward program point
/// at those of the forward program.
///
/// `nn.id` is a number that is unique within a function and its `.backward`,
/// except that a call of a `.recompute` has the number of the call that it
/// repeats; an op that carries `nn.adjoint_of` was built for the gradients of
/// the operands of the op with that number, or adds up what is the gradient of
/// its result.
///
/// `nn.gradient_of` stands on the arguments and results of a `.backward`: an
/// argument is the gradient of the result with that number of the layer, a
/// result that of the argument.
inline constexpr llvm::StringLiteral kIdAttrName = "nn.id";
inline constexpr llvm::StringLiteral kAdjointOfAttrName = "nn.adjoint_of";
inline constexpr llvm::StringLiteral kGradientOfAttrName = "nn.gradient_of";

}  // namespace sbp::nn

#include "dialects/nn/NnInterfaces.h.inc"

#endif  // DIALECTS_NN_DIFFERENTIABLEOP_H_
