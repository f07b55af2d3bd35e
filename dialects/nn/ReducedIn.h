// In which type the terms of a gradient are added up over ranks.
//
// A parameter in f32 of which a cast to bf16 is used has a gradient in bf16,
// and its adjoint casts that back. What ranks have are terms of it, and they
// may be added up before the cast or after it:
//
//   nn.cast %gradient {nn.reduced_in = f32}     after it, exactly
//   nn.cast %gradient {nn.reduced_in = bf16}    before it: half the bytes, and
//                                               the sum is rounded once

#ifndef DIALECTS_NN_REDUCEDIN_H_
#define DIALECTS_NN_REDUCEDIN_H_

#include "dialects/nn/Nn.h"

namespace sbp::nn {

/// The name of the attribute of such a cast: the type before it or after it.
inline constexpr llvm::StringLiteral kReducedInAttrName = "nn.reduced_in";

/// Returns whether `op` is a cast after which the terms of its operand are
/// added up.
bool isReducedAfter(Operation* op);

/// Returns whether `op` is a cast before which the terms of its operand are
/// added up.
bool isReducedBefore(Operation* op);

/// Returns whether the op of `operand`, a term of a gradient, gives a term of
/// what it becomes: cast, shaped otherwise, added to others, or multiplied by a
/// number.
bool passesGradient(mlir::OpOperand& operand);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_REDUCEDIN_H_
