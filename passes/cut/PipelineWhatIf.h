// Answers of the joint problem of a model to "what if": bounds of each kind of
// pipeline, and the best pipeline within less memory.
//
// All numbers are estimates (PipelineProblem.h). No unit is priced again.

#ifndef PASSES_CUT_PIPELINEWHATIF_H_
#define PASSES_CUT_PIPELINEWHATIF_H_

#include <optional>
#include <vector>

#include "passes/cut/PricedPipelines.h"

namespace sbp {

/// Returns, for each case and family of `priced`, a lower bound of the
/// estimates of its pipelines; infinite if none fits. One search finds them
/// all. It is done with a case once the bound is above the best plan that it
/// has found, so such bounds may be far below the best plan of their case.
std::vector<EstimatedPipeline> pipelineBounds(
    const std::vector<PricedPipelines>& priced);

/// The fastest pipeline within some memory.
struct PipelineWithin {
  double memoryBytes = 0;  // limit, per device
  /// The pipeline by its estimate; nullopt if none fits.
  std::optional<EstimatedPipeline> pipeline = std::nullopt;
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
