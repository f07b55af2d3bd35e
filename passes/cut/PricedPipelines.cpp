#include "passes/cut/PricedPipelines.h"

namespace sbp {

bool isFaster(const EstimatedPipeline& a, const EstimatedPipeline& b) {
  if (a.seconds != b.seconds) return a.seconds < b.seconds;
  return a < b;
}

PipelineSetting PricedPipelines::settingOf(int64_t index,
                                           int64_t family) const {
  const search::JointCase& ofCase = problem.cases[index];
  return {ofCase.numStages(), groups[index], ofCase.microBatches,
          ofCase.workers > 1 ? problem.families[family].name : "", kept};
}

EstimatedPipeline PricedPipelines::pipelineOf(
    const search::JointAnswer& answer) const {
  return {settingOf(answer.plan->chosenCase, answer.plan->family),
          answer.cost.seconds};
}

}  // namespace sbp
