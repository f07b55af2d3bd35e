// Gradients for tests: as the training step of a loss function computes them,
// and as central differences of the loss.

#ifndef PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
#define PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_

#include <map>
#include <string>

#include "codegen/interpreter/testing/Programs.h"

namespace sbp {

/// Runs --sbp-differentiate on the program, and adds the optimiser's state,
/// with its initial values, to the program's parameters.
LogicalResult differentiate(interpreter::Program& program);

/// Derivatives of the loss by each parameter, by the parameter's name.
using ParameterGradients = std::map<std::string, interpreter::Tensor>;

/// Runs `@train_step`, made with #nn.sgd, with a learning rate of 1. Returns
/// the gradients that it subtracts from the parameters, except for parameters
/// of which no bit changes. Restores the parameters. `inputs` are the inputs of
/// the loss.
ParameterGradients gradientsByTraining(interpreter::Program& program,
                                       ArrayRef<interpreter::Tensor> inputs);

/// Returns (loss(w + step) - loss(w - step)) / (2 step), with a step of 1e-5,
/// for every element w of every trainable parameter.
ParameterGradients gradientsByDifferences(interpreter::Program& program,
                                          ArrayRef<interpreter::Tensor> inputs);

/// Differentiates `program`, and expects that training and differences give the
/// same gradients up to 1e-7, for random inputs. The program is in f64, and its
/// `@loss` is smooth near its parameters.
void expectGradientsOfDifferences(interpreter::Program& program);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
