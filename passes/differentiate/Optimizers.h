// The optimiser's step, and the state that it keeps.
//
// State is parameters like any other, marked `state` and zero at first: for a
// parameter @w
//
//   SGD with momentum   @"w.velocity"
//   Adam, AdamW         @"w.first_moment", @"w.second_moment"
//
// and for Adam, once, the scalars @"adam.first_correction" and
// @"adam.second_correction", which are 1 - beta^t in step t.
//
// A parameter's state lies where `sbp.state_pin` of the parameter says, or else
// where the parameter itself is pinned.

#ifndef PASSES_DIFFERENTIATE_OPTIMIZERS_H_
#define PASSES_DIFFERENTIATE_OPTIMIZERS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// A parameter to be updated, its value, and the gradient of the loss.
struct TrainedParameter {
  nn::ParameterOp parameter;
  Value value;
  Value gradient;
};

/// Builds the step of `optimizer` (#nn.sgd, #nn.adam or #nn.adamw, with
/// PyTorch's semantics) for all of `trained`, and adds the state to the module.
/// Fails with a diagnostic when the name of a state is taken.
LogicalResult buildOptimizerStep(OpBuilder& builder, Location location,
                                 Attribute optimizer, Value learningRate,
                                 ArrayRef<TrainedParameter> trained,
                                 mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_OPTIMIZERS_H_
