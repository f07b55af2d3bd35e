// Marks casts of gradients. The mark says whether ranks add up the terms of the
// gradient before the cast or after it.
//
// A parameter in f32 that is cast to bf16 has a gradient that is cast back:
//
//   %gradient = call @layer.backward(...)                        bf16
//   %finished = nn.cast %gradient {nn.reduced_in = f32}          f32
//   %next = nn.sgd %parameter, %finished, %rate
//
// dialects/nn/ReducedIn.h defines the mark.

#ifndef PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_
#define PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/ReduceIn.h"

namespace sbp {

/// Marks casts in `step`, a training step, and in the functions that it calls.
/// Marks the casts from bf16 to f32 by which the optimiser's gradients are
/// made. The mark is the type that `reduceIn` names.
void markReductions(mlir::func::FuncOp step, ReduceIn reduceIn);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_
