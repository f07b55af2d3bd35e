// What is known of an optimiser's step without knowing which it is.
//
// Whoever wants to look at all gradients before any parameter changes, or to
// leave a step out, asks here; a new optimiser is added here.

#ifndef DIALECTS_NN_OPTIMIZERSTEP_H_
#define DIALECTS_NN_OPTIMIZERSTEP_H_

#include "dialects/nn/Nn.h"

namespace sbp::nn {

/// The operand of `op` that is the gradient by which it changes a parameter;
/// null of an op that is no optimiser's step.
inline mlir::OpOperand* gradientOf(Operation* op) {
  if (auto step = llvm::dyn_cast<SgdOp>(op)) return &step.getGradientMutable();
  if (auto step = llvm::dyn_cast<MomentumOp>(op))
    return &step.getGradientMutable();
  if (auto step = llvm::dyn_cast<AdamOp>(op)) return &step.getGradientMutable();
  return nullptr;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_OPTIMIZERSTEP_H_
