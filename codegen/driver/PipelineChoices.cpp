#include "codegen/driver/PipelineChoices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/driver/Quantities.h"
#include "codegen/driver/TextTable.h"

namespace sbp {
namespace {

std::string timeText(double seconds) {
  return std::isfinite(seconds) ? secondsText(seconds) : "does not fit";
}

}  // namespace

double PipelineChoices::secondsWithout() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [pipeline, seconds] : pipelines)
    if (!pipeline.isPipeline() && seconds) least = std::min(least, *seconds);
  return least;
}

std::string textOf(const PipelineChoices& choices) {
  TextTable table(">>><<>><");
  table.add({"groups", "stages", "micro-batches", "schedule", "kept",
             "estimated", "timed", ""});
  for (size_t i = 0; i < choices.pipelines.size(); ++i) {
    const auto& [pipeline, seconds] = choices.pipelines[i];
    if (!seconds && !choices.whatIf) continue;
    table.add({pipeline.groups.str(), std::to_string(pipeline.stages),
               std::to_string(pipeline.microBatches),
               pipeline.isPipeline() ? pipeline.schedule : "-",
               std::string(stringOf(pipeline.kept)),
               secondsText(pipeline.seconds), seconds ? timeText(*seconds) : "",
               choices.chosen == i ? "chosen" : ""});
  }
  if (!choices.whatIf)
    return "\nWays to run the model that may be the fastest by an estimate; "
           "--plan lists more:\n" +
           table.text(2);
  return "\nPipelines, the best of each kind by an estimate; those that may be "
         "the fastest were placed and timed:\n" +
         table.text(2) + textOf(*choices.whatIf, choices);
}

nlohmann::ordered_json jsonOf(const EstimatedPipeline& pipeline) {
  nlohmann::ordered_json json = {{"groups", pipeline.groups.numGroups()},
                                 {"stages", pipeline.stages},
                                 {"micro_batches", pipeline.microBatches},
                                 {"kept", stringOf(pipeline.kept)},
                                 {"estimated_seconds", pipeline.seconds}};
  if (pipeline.isPipeline()) json["schedule"] = pipeline.schedule;
  if (pipeline.groups.isPerAxis())
    json["groups_per_level"] = pipeline.groups.counts();
  return json;
}

nlohmann::ordered_json jsonOf(const PipelineChoices& choices) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (size_t i = 0; i < choices.pipelines.size(); ++i) {
    const auto& [pipeline, seconds] = choices.pipelines[i];
    nlohmann::ordered_json json = jsonOf(pipeline);
    if (seconds) json["fits"] = std::isfinite(*seconds);
    if (seconds && std::isfinite(*seconds)) json["seconds"] = *seconds;
    json["chosen"] = choices.chosen == i;
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace sbp
