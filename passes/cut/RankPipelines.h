// Ranks the pipelines of a model by an estimate of their time.

#ifndef PASSES_CUT_RANKPIPELINES_H_
#define PASSES_CUT_RANKPIPELINES_H_

#include <optional>
#include <vector>

#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/Passes.h"
#include "passes/cut/PricedPipelines.h"
#include "passes/cut/PricedTimes.h"

namespace sbp {

/// The pipelines of a model, and ways to train it without a pipeline.
struct PipelineRanking {
  /// The pipelines that may fit into the memory, the fastest first.
  std::vector<EstimatedPipeline> pipelines;
  /// If none fits by its estimate: one that needs little memory, and an
  /// estimate of the bytes that it needs per device.
  std::optional<EstimatedPipeline> smallest;
  double smallestBytes = 0;
  /// Whether more memory would allow a faster one, by estimates.
  bool isShortOfMemory = false;
  /// For the ranking of layers that keep less.
  PricedTimes times;
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
/// whose devices have `memoryBytes` bytes and whose layers without a mark keep
/// `kept`. `options` have the numbers that are fixed: micro-batches, and
/// groups, if they are not 0; and the limits of the search. `ofMore` are the
/// times of layers that keep more, if memory is short for them, or null.
/// Pipelines that are probably slower than their best one are left out
/// (CaseAdder.h). Returns none
/// if no entry is trained, or if the ranks cannot be divided. Fails with a
/// diagnostic if a unit cannot be priced.
FailureOr<PipelineRanking> rankPipelines(ModuleOp module, double memoryBytes,
                                         const ChooseStagesOptions& options,
                                         Kept kept, PricedFor pricedFor,
                                         const PricedTimes* ofMore);

}  // namespace sbp

#endif  // PASSES_CUT_RANKPIPELINES_H_
