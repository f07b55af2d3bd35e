// The interface of ops that can be differentiated: they build their adjoint.

#ifndef DIALECTS_NN_DIFFERENTIABLEOP_H_
#define DIALECTS_NN_DIFFERENTIABLEOP_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// The names of the attributes by which the ops of the backward program point
/// at those of the forward program. `nn.id` is a number that is unique within a
/// function and its `.backward`; an op that carries `nn.adjoint_of` was built
/// for the gradients of the op with that number.
inline constexpr llvm::StringLiteral kIdAttrName = "nn.id";
inline constexpr llvm::StringLiteral kAdjointOfAttrName = "nn.adjoint_of";

}  // namespace sbp::nn

#include "dialects/nn/NnInterfaces.h.inc"

#endif  // DIALECTS_NN_DIFFERENTIABLEOP_H_
