// Ranks the pipelines of a model by an estimate of their time.

#ifndef PASSES_CUT_RANKPIPELINES_H_
#define PASSES_CUT_RANKPIPELINES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/GroupCounts.h"
#include "passes/cut/Passes.h"
#include "passes/search/pipeline/JointProblem.h"

namespace sbp {

/// A pipeline of a model: the options of sbp-choose-stages that make it. With
/// one group there is no pipeline, but micro-batches one after the other.
struct RankedPipeline {
  int64_t stages = 1, groups = 1, microBatches = 1;
  std::string schedule;   // a family; empty without a pipeline
  double seconds = 0;     // estimated, per training step
  Kept kept = Kept::All;  // what layers without a mark keep
  /// The value of --groups that divides the ranks into `groups` groups: another
  /// than their number if their shape is not the outermost one.
  GroupCounts groupCounts = groups;

  bool isPipeline() const { return groups > 1; }

  bool operator==(const RankedPipeline& other) const {
    return stages == other.stages && groups == other.groups &&
           microBatches == other.microBatches && schedule == other.schedule &&
           kept == other.kept && groupCounts == other.groupCounts;
  }
};

/// Orders by time; of equal ones, the one with fewer stages and micro-batches
/// is first.
bool isFaster(const RankedPipeline& a, const RankedPipeline& b);

/// The joint problem of a model whose layers without a mark keep `kept`.
struct PricedPipelines {
  search::JointProblem problem;
  Kept kept = Kept::All;
};

/// The pipelines of a model, and ways to train it without a pipeline.
struct PipelineRanking {
  /// The pipelines that may fit into the memory, the fastest first.
  std::vector<RankedPipeline> pipelines;
  /// If none fits by its estimate: one that needs little memory, and an
  /// estimate of the bytes that it needs per device.
  std::optional<RankedPipeline> smallest;
  double smallestBytes = 0;
  /// Whether more memory would allow a faster one, by estimates.
  bool isShortOfMemory = false;
  /// Problems that were ranked, for questions about them (PipelineWhatIf.h).
  /// Empty if there is nothing to choose from.
  std::vector<PricedPipelines> priced;
};

/// The use of a ranking.
enum class PricedFor {
  Choice,  // the best pipeline within the memory
  WhatIf,  // also the best ones within less memory (PipelineWhatIf.h)
};

/// Returns the pipelines of `module`, a logical program without stages and pins
/// whose devices have `memoryBytes` bytes. `options` have the numbers that are
/// fixed: micro-batches, and groups, if they are not 0; and the limits of the
/// search. Returns none if no entry is trained, or if the ranks cannot be
/// divided. Fails with a diagnostic if a unit cannot be priced.
FailureOr<PipelineRanking> rankPipelines(ModuleOp module, double memoryBytes,
                                         const ChooseStagesOptions& options,
                                         PricedFor pricedFor);

}  // namespace sbp

#endif  // PASSES_CUT_RANKPIPELINES_H_
