// The element type in which the terms of a gradient are added up over ranks.
//
// A model may cast a parameter in f32 to bf16 before it uses it. The gradient
// of the cast parameter is then in bf16, and the adjoint of the cast converts
// it to f32. Each rank has a term of the gradient. The terms may be added up
// after this conversion or before it:
//
//   nn.cast %gradient {nn.reduced_in = f32}     after the conversion, in f32
//   nn.cast %gradient {nn.reduced_in = bf16}    before it: half the bytes, and
//                                               the sum is rounded once

#ifndef DIALECTS_NN_REDUCEDIN_H_
#define DIALECTS_NN_REDUCEDIN_H_

#include "dialects/nn/Nn.h"

namespace sbp::nn {

/// Name of the attribute of the cast that converts a gradient. The value is the
/// element type in which the terms are added up: the type of either the cast's
/// operand or its result.
inline constexpr llvm::StringLiteral kReducedInAttrName = "nn.reduced_in";

/// Whether `op` is a cast whose result is to be added up over ranks, not its
/// operand.
bool isReducedAfter(Operation* op);

/// Whether `op` is a cast whose operand is to be added up over ranks, not its
/// result.
bool isReducedBefore(Operation* op);

/// Whether the op that takes `operand` maps terms of a gradient to terms of the
/// op's result. Such an op casts, moves or negates elements, adds or subtracts,
/// or multiplies or divides `operand` by a tensor of one element.
bool passesGradient(mlir::OpOperand& operand);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_REDUCEDIN_H_
