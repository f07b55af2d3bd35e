#include "codegen/interpreter/evaluate/StandardEvaluators.h"

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "dialects/sbp/Sbp.h"

namespace sbp::interpreter {

Evaluators standardEvaluators() {
  Evaluators evaluators;
  addElementwiseEvaluators(evaluators);
  addContractionEvaluators(evaluators);
  addWindowEvaluators(evaluators);
  addReductionEvaluators(evaluators);
  addNormalizationEvaluators(evaluators);
  addBatchNormEvaluators(evaluators);
  addLookupEvaluators(evaluators);
  addLossEvaluators(evaluators);
  addShapeEvaluators(evaluators);
  addOptimizerEvaluators(evaluators);

  auto sameValue = [](auto, ArrayRef<Tensor> operands) { return operands[0]; };
  evaluators.add<PinOp>(sameValue);
  evaluators.add<BoxOp>(sameValue);
  evaluators.add<CastOp>(sameValue);
  return evaluators;
}

}  // namespace sbp::interpreter
