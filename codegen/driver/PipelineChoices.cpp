#include "codegen/driver/PipelineChoices.h"

#include <cmath>

#include "codegen/driver/Quantities.h"
#include "codegen/driver/TextTable.h"

namespace sbp {
namespace {

std::string timeText(double seconds) {
  return std::isfinite(seconds) ? secondsText(seconds) : "does not fit";
}

}  // namespace

std::string textOf(const PipelineChoices& choices) {
  TextTable table(">>><>><");
  table.add({"groups", "stages", "micro-batches", "schedule", "estimated",
             "timed", ""});
  table.add({"-", "-", "", "", "", timeText(choices.plain),
             choices.chosen ? "" : "chosen"});
  for (size_t i = 0; i < choices.pipelines.size(); ++i) {
    const auto& [pipeline, seconds] = choices.pipelines[i];
    table.add({std::to_string(pipeline.groups), std::to_string(pipeline.stages),
               std::to_string(pipeline.microBatches), pipeline.schedule,
               secondsText(pipeline.seconds), seconds ? timeText(*seconds) : "",
               choices.chosen == i ? "chosen" : ""});
  }
  return "\nPipelines, the best of each kind by an estimate; those that may be "
         "the fastest were placed and timed:\n" +
         table.text(2);
}

nlohmann::ordered_json jsonOf(const PipelineChoices& choices) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto addTime = [](nlohmann::ordered_json& json, double seconds) {
    json["fits"] = std::isfinite(seconds);
    if (std::isfinite(seconds)) json["seconds"] = seconds;
  };
  nlohmann::ordered_json plain = {{"groups", 1}, {"stages", 1}};
  addTime(plain, choices.plain);
  plain["chosen"] = !choices.chosen;
  all.push_back(std::move(plain));
  for (size_t i = 0; i < choices.pipelines.size(); ++i) {
    const auto& [pipeline, seconds] = choices.pipelines[i];
    nlohmann::ordered_json json = {{"groups", pipeline.groups},
                                   {"stages", pipeline.stages},
                                   {"micro_batches", pipeline.microBatches},
                                   {"schedule", pipeline.schedule},
                                   {"estimated_seconds", pipeline.seconds}};
    if (seconds) addTime(json, *seconds);
    json["chosen"] = choices.chosen == i;
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace sbp
