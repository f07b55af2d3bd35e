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
    EstimatedPipeline pipeline = each.pipelineOf(answer);
    if (fastest.pipeline && !isFaster(pipeline, *fastest.pipeline)) continue;
    fastest.pipeline = std::move(pipeline);
    fastest.bytes =
        *std::max_element(answer.cost.bytes.begin(), answer.cost.bytes.end());
  }
  return fastest;
}

}  // namespace

std::vector<EstimatedPipeline> pipelineBounds(
    const std::vector<PricedPipelines>& priced) {
  std::vector<EstimatedPipeline> bounds;
  for (const PricedPipelines& each : priced)
    for (const search::CaseBound& known :
         search::searchJointPlan(each.problem).cases)
      bounds.push_back(
          {each.settingOf(known.ofCase, known.family), known.bound});
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
