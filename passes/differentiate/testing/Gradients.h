// Gradients in tests: what the training step makes of a loss function, against
// central differences of that function.

#ifndef PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
#define PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_

#include <map>
#include <string>

#include "codegen/interpreter/testing/Programs.h"

namespace sbp {

/// Runs --sbp-differentiate on the program, and adds the state that it made to
/// the program's parameters.
LogicalResult differentiate(interpreter::Program& program);

/// dLoss / dParameter, by name.
using ParameterGradients = std::map<std::string, interpreter::Tensor>;

/// What `@train_step`, made with #nn.sgd, subtracts from the parameters when
/// the learning rate is 1; parameters that stay bit by bit as they are are left
/// out. The parameters are restored afterwards. `inputs` are those of the loss.
ParameterGradients gradientsByTraining(interpreter::Program& program,
                                       ArrayRef<interpreter::Tensor> inputs);

/// (loss(w + step) - loss(w - step)) / (2 step), for every trainable parameter.
ParameterGradients gradientsByDifferences(interpreter::Program& program,
                                          ArrayRef<interpreter::Tensor> inputs);

/// Expects that the two agree, for a program in f64 whose `@loss` is smooth
/// near its parameters and has a gradient other than zero for each of them.
void expectGradientsOfDifferences(interpreter::Program& program);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TESTING_GRADIENTS_H_
