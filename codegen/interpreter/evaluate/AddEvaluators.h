// Evaluators of nn ops, by family. Each family is in a file of its name, such
// as Elementwise.cpp.

#ifndef CODEGEN_INTERPRETER_EVALUATE_ADDEVALUATORS_H_
#define CODEGEN_INTERPRETER_EVALUATE_ADDEVALUATORS_H_

#include "codegen/interpreter/Evaluators.h"

namespace sbp::interpreter {

/// Adds ops that compute an element from operand elements at the same index,
/// with broadcasting.
void addElementwiseEvaluators(Evaluators& evaluators);
/// Adds einsum, attention and its gradient.
void addContractionEvaluators(Evaluators& evaluators);
/// Adds convolution, pooling, and their gradients.
void addWindowEvaluators(Evaluators& evaluators);
/// Adds reduce.
void addReductionEvaluators(Evaluators& evaluators);
/// Adds softmax and its logarithm, layer norm, RMS norm, and their gradients.
void addNormalizationEvaluators(Evaluators& evaluators);
/// Adds batch norm, its variance, its gradient, and the sums that the gradient
/// needs.
void addBatchNormEvaluators(Evaluators& evaluators);
/// Adds embedding and its gradient.
void addLookupEvaluators(Evaluators& evaluators);
/// Adds cross entropy and its gradient, and mean squared error.
void addLossEvaluators(Evaluators& evaluators);
/// Adds constant, iota, and ops that move elements without changing them.
void addShapeEvaluators(Evaluators& evaluators);
/// Adds SGD, momentum and Adam.
void addOptimizerEvaluators(Evaluators& evaluators);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATE_ADDEVALUATORS_H_
