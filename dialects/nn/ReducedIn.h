// In which type the terms of a gradient are added up over ranks.
//
// A model may use a parameter in f32 by its cast to bf16. The gradient of that
// cast is in bf16, and the adjoint casts it back to f32. Each rank has a term
// of the gradient. The terms may be added up before the cast back or after it:
//
//   nn.cast %gradient {nn.reduced_in = f32}     after it, exactly
//   nn.cast %gradient {nn.reduced_in = bf16}    before it: half the bytes, and
//                                               the sum is rounded once

#ifndef DIALECTS_NN_REDUCEDIN_H_
#define DIALECTS_NN_REDUCEDIN_H_

#include "dialects/nn/Nn.h"

namespace sbp::nn {

/// The name of the attribute of such a cast. Its value is the type in which
/// terms are added up: the type of the operand or that of the result.
inline constexpr llvm::StringLiteral kReducedInAttrName = "nn.reduced_in";

/// Whether `op` is a cast whose result is to be added up over ranks, not its
/// operand.
bool isReducedAfter(Operation* op);

/// Whether `op` is a cast whose operand is to be added up over ranks, not its
/// result.
bool isReducedBefore(Operation* op);

/// Whether the owner of `operand` maps a term of a gradient to a term of its
/// result: it casts, moves or negates elements, adds or subtracts, or
/// multiplies or divides by a tensor of one element.
bool passesGradient(mlir::OpOperand& operand);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_REDUCEDIN_H_
