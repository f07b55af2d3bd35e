// The optimiser's step and its state.
//
// State consists of parameters that are marked `state` and are zero at first.
// For a parameter @w, these are
//
//   SGD with momentum   @"w.velocity"
//   Adam, AdamW         @"w.first_moment", @"w.second_moment"
//
// Adam also has the scalars @"adam.first_correction" and
// @"adam.second_correction", which are 1 - beta^t in step t, once for all
// parameters.
//
// The state of a parameter has the placement that `sbp.state_pin` of the
// parameter says, or else the placement to which the parameter is pinned.

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

/// Builds the step of `optimizer` for all of `trained`, and adds the state to
/// the module. The optimizer is #nn.sgd, #nn.adam or #nn.adamw, with PyTorch's
/// semantics. Fails with a diagnostic if the name of a state is taken.
LogicalResult buildOptimizerStep(OpBuilder& builder, Location location,
                                 Attribute optimizer, Value learningRate,
                                 ArrayRef<TrainedParameter> trained,
                                 mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_OPTIMIZERS_H_
