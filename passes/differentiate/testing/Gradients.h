// Gradients for tests: as the training step of a loss function computes them,
// and as central differences of the function.

#ifndef PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
#define PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_

#include <map>
#include <string>

#include "codegen/interpreter/testing/Programs.h"

namespace sbp {

/// Runs --sbp-differentiate on the program, and adds the optimiser's new state
/// to the program's parameters.
LogicalResult differentiate(interpreter::Program& program);

/// Derivatives of the loss by each parameter, by the parameter's name.
using ParameterGradients = std::map<std::string, interpreter::Tensor>;

/// Returns the gradients that `@train_step`, made with #nn.sgd, subtracts from
/// the parameters with a learning rate of 1, without those of parameters that
/// do not change in any bit. Restores the parameters afterwards. `inputs` are
/// the inputs of the loss.
ParameterGradients gradientsByTraining(interpreter::Program& program,
                                       ArrayRef<interpreter::Tensor> inputs);

/// Returns (loss(w + step) - loss(w - step)) / (2 step) for every element of
/// every trainable parameter.
ParameterGradients gradientsByDifferences(interpreter::Program& program,
                                          ArrayRef<interpreter::Tensor> inputs);

/// Expects that training and differences give the same gradients, for a program
/// in f64 whose `@loss` is smooth near its parameters.
void expectGradientsOfDifferences(interpreter::Program& program);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
