#include "codegen/driver/WhatIf.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "codegen/driver/PipelineChoices.h"
#include "codegen/driver/Quantities.h"
#include "codegen/driver/TextTable.h"
#include "fmt/format.h"
#include "runtime/bytes/Bytes.h"

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

/// Largest number of limits of memory. A step between them halves the memory.
constexpr size_t kMostLimits = 6;

/// A value of a property, with a number that orders the values.
using PropertyValue = std::pair<int64_t, std::string>;

/// A property of pipelines: how many groups they have, for example.
struct Property {
  const char* key;
  const char* words;
  PropertyValue (*of)(const PipelineSetting&);
};

PropertyValue groupsOf(const PipelineSetting& pipeline) {
  return {pipeline.groups.numGroups(), pipeline.groups.str()};
}

PropertyValue microBatchesOf(const PipelineSetting& pipeline) {
  return {pipeline.microBatches, std::to_string(pipeline.microBatches)};
}

PropertyValue scheduleOf(const PipelineSetting& pipeline) {
  return {0, pipeline.schedule.empty() ? "none" : pipeline.schedule};
}

PropertyValue keptOf(const PipelineSetting& pipeline) {
  return {static_cast<int64_t>(pipeline.kept),
          std::string(stringOf(pipeline.kept))};
}

constexpr Property kProperties[] = {
    {"groups", "groups", groupsOf},
    {"micro_batches", "micro-batches", microBatchesOf},
    {"schedule", "schedule", scheduleOf},
    {"kept", "kept", keptOf},
};

double secondsOf(const ComparedPipeline& compared) {
  return compared.seconds.value_or(compared.pipeline.seconds);
}

/// Returns the bound of `alternative`, whose best pipeline is `best`. Returns
/// nullopt if there is none, or if it does not hold for `best`: one that is
/// compared although it fits by no estimate.
std::optional<double> boundOf(const WhatIfAlternative& alternative,
                              const EstimatedPipeline& best) {
  constexpr double kRounding = 1e-9;
  if (alternative.bound && *alternative.bound <= best.seconds * (1 + kRounding))
    return std::min(*alternative.bound, best.seconds);
  return std::nullopt;
}

std::string numbersText(const EstimatedPipeline& pipeline) {
  std::string text = fmt::format(
      "{} / {} / {} / {}", pipeline.groups.str(), pipeline.stages,
      pipeline.microBatches, pipeline.isPipeline() ? pipeline.schedule : "-");
  if (pipeline.kept != Kept::All)
    text += fmt::format(" / {}", stringOf(pipeline.kept));
  return text;
}

std::string frontText(const WhatIf& whatIf) {
  TextTable table(">><>");
  table.add({"within", "takes", "", "estimated"});
  for (const PipelineWithin& point : whatIf.front)
    if (point.pipeline)
      table.add({bytes::toText(point.memoryBytes), bytes::toText(point.bytes),
                 numbersText(*point.pipeline),
                 secondsText(point.pipeline->seconds)});
    else
      table.add({bytes::toText(point.memoryBytes), "", "none fits"});
  return "\nWhat if devices had less memory; memory and times are "
         "estimates:\n" +
         table.text(2);
}

}  // namespace

WhatIf whatIfOf(const PipelineChoices& choices) {
  WhatIf whatIf;
  const std::vector<EstimatedPipeline> bounds = pipelineBounds(choices.priced);
  for (const Property& property : kProperties) {
    std::map<PropertyValue, size_t> best;
    for (size_t i = 0; i < choices.pipelines.size(); ++i) {
      const ComparedPipeline& compared = choices.pipelines[i];
      if (!std::isfinite(secondsOf(compared))) continue;
      auto [known, isNew] = best.try_emplace(property.of(compared.pipeline), i);
      if (!isNew &&
          secondsOf(compared) < secondsOf(choices.pipelines[known->second]))
        known->second = i;
    }
    // With one value there is nothing to choose.
    if (best.size() < 2) continue;
    for (const auto& [value, index] : best) {
      std::optional<double> least;
      for (const EstimatedPipeline& bound : bounds)
        if (property.of(bound) == value)
          least = std::min(least.value_or(bound.seconds), bound.seconds);
      whatIf.alternatives.push_back({property.key, value.second, index, least});
    }
  }
  whatIf.front = pipelinesWithinLess(choices.priced, kMostLimits);
  return whatIf;
}

std::string textOf(const WhatIf& whatIf, const PipelineChoices& choices) {
  std::string text;
  TextTable table("<<<>>>");
  table.add({"with", "", "groups / stages / micro-batches / schedule",
             "estimated", "timed", "none below"});
  const char* before = "";
  for (const WhatIfAlternative& alternative : whatIf.alternatives) {
    const auto& [pipeline, seconds] = choices.pipelines[alternative.best];
    const char* words = "";
    for (const Property& property : kProperties)
      if (alternative.property == property.key) words = property.words;
    const std::optional<double> bound = boundOf(alternative, pipeline);
    table.add({words == before ? "" : words, alternative.value,
               numbersText(pipeline), secondsText(pipeline.seconds),
               seconds ? secondsText(*seconds) : "",
               bound ? secondsText(*bound) : ""});
    before = words;
  }
  if (!whatIf.alternatives.empty())
    text +=
        "\nWhat if, the best pipeline with each number; \"none below\" "
        "bounds the estimates of all with it:\n" +
        table.text(2);
  if (whatIf.front.size() > 1) text += frontText(whatIf);
  return text;
}

Json jsonOf(const WhatIf& whatIf, const PipelineChoices& choices) {
  Json alternatives = Json::array(), front = Json::array();
  for (const WhatIfAlternative& alternative : whatIf.alternatives) {
    const auto& [pipeline, seconds] = choices.pipelines[alternative.best];
    Json json = {{"property", alternative.property},
                 {"value", alternative.value},
                 {"pipeline", jsonOf(pipeline)}};
    if (seconds) json["seconds"] = *seconds;
    if (const auto bound = boundOf(alternative, pipeline))
      json["lower_bound"] = *bound;
    alternatives.push_back(std::move(json));
  }
  for (const PipelineWithin& point : whatIf.front) {
    Json json = {{"memory", point.memoryBytes}};
    if (point.pipeline) {
      json["bytes"] = point.bytes;
      json["pipeline"] = jsonOf(*point.pipeline);
    }
    front.push_back(std::move(json));
  }
  return {{"alternatives", std::move(alternatives)},
          {"memory_front", std::move(front)}};
}

}  // namespace sbp
