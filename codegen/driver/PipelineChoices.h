// The pipelines among which `--plan` chooses, with their times.

#ifndef CODEGEN_DRIVER_PIPELINECHOICES_H_
#define CODEGEN_DRIVER_PIPELINECHOICES_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "passes/cut/RankPipelines.h"

namespace sbp {

/// A pipeline that was compared with others.
struct ComparedPipeline {
  RankedPipeline pipeline;
  /// Predicted seconds per training step of the whole program; infinite if it
  /// does not fit into the memory, nullopt if it was not timed.
  std::optional<double> seconds;
};

/// What a choice was made among.
struct PipelineChoices {
  /// Seconds per training step without a pipeline; infinite if the model does
  /// not fit into the memory.
  double plain = std::numeric_limits<double>::infinity();
  std::vector<ComparedPipeline> pipelines;  // by their estimates
  std::optional<size_t> chosen;  // index in `pipelines`; nullopt: none
};

/// Returns a table of the choices.
std::string textOf(const PipelineChoices& choices);

/// Returns the choices as an array of objects, in seconds.
nlohmann::ordered_json jsonOf(const PipelineChoices& choices);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PIPELINECHOICES_H_
