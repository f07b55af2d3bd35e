// The options that make a pipeline of a model, apart from those that hold for
// all pipelines.

#ifndef PASSES_CUT_PIPELINESETTING_H_
#define PASSES_CUT_PIPELINESETTING_H_

#include <cstdint>
#include <string>
#include <tuple>

#include "dialects/sbp/Kept.h"
#include "passes/cut/GroupCounts.h"

namespace sbp {

/// The options of one pipeline. With one group there is no pipeline, but
/// micro-batches one after the other.
struct PipelineSetting {
  int64_t stages = 1;
  GroupCounts groups = 1;
  int64_t microBatches = 1;
  std::string schedule;   // a family; empty without a pipeline
  Kept kept = Kept::All;  // what layers without a mark keep

  bool isPipeline() const { return groups.numGroups() > 1; }

  auto tied() const {
    return std::tie(stages, microBatches, kept, schedule, groups);
  }
  friend bool operator==(const PipelineSetting& a, const PipelineSetting& b) {
    return a.tied() == b.tied();
  }
  /// Orders by stages, then micro-batches: the simpler one is less.
  friend bool operator<(const PipelineSetting& a, const PipelineSetting& b) {
    return a.tied() < b.tied();
  }
};

}  // namespace sbp

#endif  // PASSES_CUT_PIPELINESETTING_H_
