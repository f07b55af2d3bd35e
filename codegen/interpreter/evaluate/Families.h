// The families of nn ops, each evaluated in the file of its name.

#ifndef CODEGEN_INTERPRETER_EVALUATE_FAMILIES_H_
#define CODEGEN_INTERPRETER_EVALUATE_FAMILIES_H_

#include "codegen/interpreter/Evaluators.h"

namespace sbp::interpreter {

/// One element from elements at the same place, broadcasting.
void addElementwiseEvaluators(Evaluators& evaluators);
/// einsum, attention and its gradient.
void addContractionEvaluators(Evaluators& evaluators);
/// convolution, pooling, and their gradients.
void addWindowEvaluators(Evaluators& evaluators);
/// reduce.
void addReductionEvaluators(Evaluators& evaluators);
/// softmax, layer norm, RMS norm, and their gradients.
void addNormalizationEvaluators(Evaluators& evaluators);
/// batch norm, its statistics and its gradient.
void addBatchNormEvaluators(Evaluators& evaluators);
/// embedding and its gradient.
void addLookupEvaluators(Evaluators& evaluators);
/// cross entropy and its gradient, mean squared error.
void addLossEvaluators(Evaluators& evaluators);
/// constant, iota, and what moves elements without looking at them.
void addShapeEvaluators(Evaluators& evaluators);
/// SGD, momentum, Adam.
void addOptimizerEvaluators(Evaluators& evaluators);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATE_FAMILIES_H_
