// The priced pipelines of a model: its joint problem
// (passes/search/pipeline/JointProblem.h), and the options that make each of
// its plans.

#ifndef PASSES_CUT_PRICEDPIPELINES_H_
#define PASSES_CUT_PRICEDPIPELINES_H_

#include <cstdint>
#include <vector>

#include "dialects/sbp/Kept.h"
#include "passes/cut/GroupCounts.h"
#include "passes/cut/PipelineSetting.h"
#include "passes/search/pipeline/JointAnswer.h"
#include "passes/search/pipeline/JointProblem.h"

namespace sbp {

/// A pipeline, and an estimate of its time, or a bound of such estimates.
struct EstimatedPipeline : PipelineSetting {
  double seconds = 0;  // per training step
};

/// Orders by time; of equal ones, the one with fewer stages and micro-batches
/// is first.
bool isFaster(const EstimatedPipeline& a, const EstimatedPipeline& b);

/// The pipelines, as described at the head of this file.
struct PricedPipelines {
  search::JointProblem problem;
  std::vector<GroupCounts> groups;  // by case of `problem`
  Kept kept = Kept::All;            // what layers without a mark keep

  /// Returns the options that make the plans of case number `index` by family
  /// number `family`.
  PipelineSetting settingOf(int64_t index, int64_t family) const;

  /// Returns the pipeline of `answer`, which has a plan. It answers `problem`,
  /// perhaps with another limit of memory.
  EstimatedPipeline pipelineOf(const search::JointAnswer& answer) const;
};

}  // namespace sbp

#endif  // PASSES_CUT_PRICEDPIPELINES_H_
