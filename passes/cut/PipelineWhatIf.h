// Answers of the joint problem of a model to "what if": bounds of each kind of
// pipeline, and the best pipeline within less memory.
//
// All numbers are estimates (PipelineProblem.h). No unit is priced again.

#ifndef PASSES_CUT_PIPELINEWHATIF_H_
#define PASSES_CUT_PIPELINEWHATIF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Kept.h"
#include "passes/cut/RankPipelines.h"

namespace sbp {

/// A lower bound of the estimates of all pipelines of one kind.
struct PipelineBound {
  int64_t stages = 1, groups = 1, microBatches = 1;
  std::string schedule;   // a family; empty with one group
  Kept kept = Kept::All;  // what layers without a mark keep
  double seconds = 0;     // infinite if none fits
};

/// Returns a bound for each case and family of `priced`. One search finds them
/// all. It is done with a case once the bound is above the best plan that it
/// has found, so such bounds may be far below the best plan of their case.
std::vector<PipelineBound> pipelineBounds(
    const std::vector<PricedPipelines>& priced);

/// The fastest pipeline within some memory.
struct PipelineWithin {
  double memoryBytes = 0;  // limit, per device
  /// The pipeline by its estimate; nullopt if none fits.
  std::optional<RankedPipeline> pipeline = std::nullopt;
  double bytes = 0;  // that it takes, of the device that needs most
};

/// Returns the fastest pipeline of `priced` within the memory M of a device,
/// and within M/2, M/4 and so on, until none fits or there are `most`. Leaves
/// out a limit that the pipeline before it keeps, too. Without a limit, M is
/// what the fastest pipeline takes.
std::vector<PipelineWithin> pipelinesWithinLess(
    const std::vector<PricedPipelines>& priced, size_t most);

}  // namespace sbp

#endif  // PASSES_CUT_PIPELINEWHATIF_H_
