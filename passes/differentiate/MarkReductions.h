// Marks where the terms of gradients in bf16 are added up over ranks.
//
// A parameter in f32 that is cast to bf16 has a gradient that is cast back:
//
//   %gradient = call @layer.backward(...)                        bf16
//   %finished = nn.cast %gradient {nn.reduced_in = f32}          f32
//   %next = nn.sgd %parameter, %finished, %rate
//
// dialects/nn/ReducedIn.h says what the mark means.

#ifndef PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_
#define PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/ReduceIn.h"

namespace sbp {

/// Marks the casts from bf16 to f32 by which the optimiser's gradients in
/// `step`, a training step, are made. The casts may be in functions that `step`
/// calls.
void markReductions(mlir::func::FuncOp step, ReduceIn reduceIn);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_MARKREDUCTIONS_H_
