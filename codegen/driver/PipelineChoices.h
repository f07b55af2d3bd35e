// The pipelines among which `--plan` chooses, with their times.

#ifndef CODEGEN_DRIVER_PIPELINECHOICES_H_
#define CODEGEN_DRIVER_PIPELINECHOICES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codegen/driver/WhatIf.h"
#include "nlohmann/json.hpp"
#include "passes/cut/RankPipelines.h"

namespace sbp {

/// A pipeline that was compared with others.
struct ComparedPipeline {
  EstimatedPipeline pipeline;
  /// Predicted seconds per training step of the whole program; infinite if it
  /// does not fit into the memory, nullopt if it was not timed.
  std::optional<double> seconds;
};

/// The pipelines that were compared, and the one that was chosen.
struct PipelineChoices {
  std::vector<ComparedPipeline> pipelines;  // by their estimates
  std::optional<size_t> chosen;  // index in `pipelines`; nullopt: none fits
  std::vector<PricedPipelines> priced;  // what was ranked
  std::optional<WhatIf> whatIf;         // if asked for, by whatIfOf()

  /// Returns the best time without a pipeline, by the program that was timed;
  /// infinite if none that was timed fits into the memory.
  double secondsWithout() const;
};

/// Returns a table of the choices, and what their WhatIf says; without one, a
/// table of those that were timed.
std::string textOf(const PipelineChoices& choices);

/// Returns the options and the estimate of `pipeline` as an object.
nlohmann::ordered_json jsonOf(const EstimatedPipeline& pipeline);

/// Returns the choices as an array of objects, in seconds.
nlohmann::ordered_json jsonOf(const PipelineChoices& choices);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PIPELINECHOICES_H_
