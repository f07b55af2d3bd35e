// The interface of ops that can be differentiated: they build their adjoint.

#ifndef DIALECTS_NN_DIFFERENTIABLEOP_H_
#define DIALECTS_NN_DIFFERENTIABLEOP_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// Names of the attributes that relate ops of the backward program to ops of
/// the forward program.
///
/// `nn.id` is the number of a forward op. The number is unique within a
/// function and the function's `.backward`, with one exception: a call of a
/// `.recompute` function, and the ops in the function, have the numbers of the
/// call and of the ops that they repeat. An op with
/// `nn.adjoint_of = n` either computes gradients of the operands of op n, or
/// adds up terms of the gradient of a result of op n.
///
/// On an argument of the `.backward` of a layer, `nn.gradient_of = n` means
/// that the argument is the gradient of the layer's result n. On a result of
/// the `.backward`, it means that the result is the gradient of the layer's
/// argument n.
///
/// `nn.recomputes`, without a value, marks the `.recompute` function of a
/// layer.
inline constexpr llvm::StringLiteral kIdAttrName = "nn.id";
inline constexpr llvm::StringLiteral kAdjointOfAttrName = "nn.adjoint_of";
inline constexpr llvm::StringLiteral kGradientOfAttrName = "nn.gradient_of";
inline constexpr llvm::StringLiteral kRecomputesAttrName = "nn.recomputes";

}  // namespace sbp::nn

#include "dialects/nn/NnInterfaces.h.inc"

#endif  // DIALECTS_NN_DIFFERENTIABLEOP_H_
