// Access to the update steps of all optimisers.
//
// Passes use gradientOf() to find the gradients of all parameters, and to
// recognise update steps. The op of a new optimiser must be added here.

#ifndef DIALECTS_NN_OPTIMIZERSTEP_H_
#define DIALECTS_NN_OPTIMIZERSTEP_H_

#include "dialects/nn/Nn.h"

namespace sbp::nn {

/// Returns the operand of `op` that is the gradient of the parameter, or null
/// if `op` is no update step of an optimiser.
inline mlir::OpOperand* gradientOf(Operation* op) {
  if (auto step = llvm::dyn_cast<SgdOp>(op)) return &step.getGradientMutable();
  if (auto step = llvm::dyn_cast<MomentumOp>(op))
    return &step.getGradientMutable();
  if (auto step = llvm::dyn_cast<AdamOp>(op)) return &step.getGradientMutable();
  return nullptr;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_OPTIMIZERSTEP_H_
