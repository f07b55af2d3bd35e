// The optimiser's step and its state.
//
// The state of an optimiser consists of parameters that are marked `state` and
// are initially zero. For a parameter @w, these are
//
//   SGD with momentum   @"w.velocity"
//   Adam, AdamW         @"w.first_moment", @"w.second_moment"
//
// Adam and AdamW also have two scalars that all parameters share:
// @"adam.first_correction" and @"adam.second_correction", which are 1 - beta1^t
// and 1 - beta2^t in step t.
//
// If a parameter has `sbp.state_pin`, its state is pinned to that placement.
// Otherwise its state is pinned to the placement in `sbp.pin`, if it has one.

#ifndef PASSES_DIFFERENTIATE_OPTIMIZERS_H_
#define PASSES_DIFFERENTIATE_OPTIMIZERS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// A parameter to be updated, its value, and the gradient of the loss with
/// respect to it.
struct TrainedParameter {
  nn::ParameterOp parameter;
  Value value;
  Value gradient;
};

/// Builds the step of `optimizer` at `builder`, which updates all of `trained`
/// and the state. `trained` must not be empty. Adds the state to the module of
/// `symbols`. `optimizer` is #nn.sgd, #nn.adam or #nn.adamw, with PyTorch's
/// semantics. `learningRate` is a scalar. Fails with a diagnostic if the name
/// of a state is taken.
LogicalResult buildOptimizerStep(OpBuilder& builder, Location location,
                                 Attribute optimizer, Value learningRate,
                                 ArrayRef<TrainedParameter> trained,
                                 mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_OPTIMIZERS_H_
