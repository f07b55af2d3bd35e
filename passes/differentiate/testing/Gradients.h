// Gradients for tests, computed by the training step of a loss function, or by
// central differences of the loss.

#ifndef PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
#define PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_

#include <map>
#include <string>

#include "codegen/interpreter/testing/Programs.h"

namespace sbp {

/// Runs --sbp-differentiate on the program. Adds the optimiser's state, with
/// its initial values, to the program's parameters.
LogicalResult differentiate(interpreter::Program& program);

/// Derivatives of the loss with respect to each parameter, by the parameter's
/// name.
using ParameterGradients = std::map<std::string, interpreter::Tensor>;

/// Runs `@train_step` with a learning rate of 1. The step must have been made
/// with #nn.sgd. Returns the gradients that the step subtracts from the
/// parameters. Leaves out parameters that the step does not change. Restores
/// the parameters. `inputs` are the inputs of the loss.
ParameterGradients gradientsByTraining(interpreter::Program& program,
                                       ArrayRef<interpreter::Tensor> inputs);

/// Returns (loss(w + step) - loss(w - step)) / (2 step), with a step of 1e-5,
/// for every element w of every trainable parameter.
ParameterGradients gradientsByDifferences(interpreter::Program& program,
                                          ArrayRef<interpreter::Tensor> inputs);

/// Differentiates `program`. Expects that the training step and the differences
/// give the same gradients up to 1e-7, for random inputs. The program must be
/// in f64, and its `@loss` must be smooth near its parameters.
void expectGradientsOfDifferences(interpreter::Program& program);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
