#include "passes/cut/PipelineWhatIf.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::max();

/// Returns the fastest pipeline of `priced` within `memoryBytes`.
PipelineWithin fastestWithin(const std::vector<PricedPipelines>& priced,
                             double memoryBytes) {
  PipelineWithin fastest = {memoryBytes};
  for (const PricedPipelines& each : priced) {
    search::JointProblem problem = each.problem;
    problem.memory = memoryBytes;
    const search::JointAnswer answer = search::searchJointPlan(problem);
    if (!answer.plan) continue;
    const search::JointCase& ofCase = problem.cases[answer.plan->chosenCase];
    const bool isPipeline = ofCase.workers > 1;
    RankedPipeline ranked = {
        ofCase.numStages(),
        ofCase.workers,
        ofCase.microBatches,
        isPipeline ? problem.families[answer.plan->family].name : "",
        answer.cost.seconds,
        each.kept};
    if (fastest.pipeline && !isFaster(ranked, *fastest.pipeline)) continue;
    fastest.pipeline = std::move(ranked);
    fastest.bytes =
        *std::max_element(answer.cost.bytes.begin(), answer.cost.bytes.end());
  }
  return fastest;
}

}  // namespace

std::vector<PipelineBound> pipelineBounds(
    const std::vector<PricedPipelines>& priced) {
  std::vector<PipelineBound> bounds;
  for (const PricedPipelines& each : priced) {
    const search::JointProblem& problem = each.problem;
    for (const search::CaseBound& known :
         search::searchJointPlan(problem).cases) {
      const search::JointCase& ofCase = problem.cases[known.ofCase];
      bounds.push_back(
          {ofCase.numStages(), ofCase.workers, ofCase.microBatches,
           ofCase.workers > 1 ? problem.families[known.family].name : "",
           each.kept, known.bound});
    }
  }
  return bounds;
}

std::vector<PipelineWithin> pipelinesWithinLess(
    const std::vector<PricedPipelines>& priced, size_t most) {
  std::vector<PipelineWithin> front;
  if (priced.empty()) return front;
  double memory = priced.front().problem.memory;
  if (!std::isfinite(memory) || memory >= kInfinite)
    memory = fastestWithin(priced, kInfinite).bytes;
  while (front.size() < most && memory > 0) {
    front.push_back(fastestWithin(priced, memory));
    const PipelineWithin& last = front.back();
    if (!last.pipeline || last.bytes <= 0) break;
    while (memory >= last.bytes) memory /= 2;
  }
  return front;
}

}  // namespace sbp
