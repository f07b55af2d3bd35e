// The interface of ops that can be differentiated: they build their adjoint.

#ifndef DIALECTS_NN_DIFFERENTIABLEOP_H_
#define DIALECTS_NN_DIFFERENTIABLEOP_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// Names of the attributes that relate ops of the backward program to ops of
/// the forward program.
///
/// `nn.id` is the number of a forward op. It is unique within a function and
/// its `.backward`, with one exception: a call of a `.recompute` has the number
/// of the call that it repeats. An op with `nn.adjoint_of = n` was built for
/// the gradients of the operands of op n, or adds terms of the gradient of a
/// result of op n.
///
/// `nn.gradient_of = n` on an argument of a `.backward` means that the argument
/// is the gradient of result n of the layer; on a result of a `.backward`, that
/// the result is the gradient of argument n of the layer.
inline constexpr llvm::StringLiteral kIdAttrName = "nn.id";
inline constexpr llvm::StringLiteral kAdjointOfAttrName = "nn.adjoint_of";
inline constexpr llvm::StringLiteral kGradientOfAttrName = "nn.gradient_of";

}  // namespace sbp::nn

#include "dialects/nn/NnInterfaces.h.inc"

#endif  // DIALECTS_NN_DIFFERENTIABLEOP_H_
