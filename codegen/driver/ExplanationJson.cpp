#include "codegen/driver/ExplanationJson.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "codegen/driver/SignaturesReport.h"
#include "nlohmann/json.hpp"
#include "passes/explain/Shares.h"

extern "C" const char sbp_report_begin[], sbp_report_end[];

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const search::MemoryParts& memory) {
  Json json = {{"bytes", memory.sum()}};
  for (const search::MemoryPart& part : search::kMemoryParts)
    json[part.key] = memory.*part.bytes;
  return json;
}

Json jsonOf(const PlanReport& report,
            const search::Alternatives& alternatives) {
  Json strategies = Json::array(), pins = Json::array(), front = Json::array();
  for (const search::NamedStrategy& named : alternatives.strategies) {
    Json json = {{"strategy", named.name},
                 {"seconds", named.plan.solution.cost},
                 {"memory", named.plan.memory.bytes}};
    if (!named.grid.empty()) json["grid"] = named.grid;
    strategies.push_back(std::move(json));
  }
  for (const search::PinChoices& pin : alternatives.pins) {
    Json choices = Json::array();
    for (const search::PinChoices::Choice& choice : pin.choices)
      choices.push_back({{"placement", stringOf(choice.placement)},
                         {"more_seconds", choice.moreSeconds}});
    pins.push_back({{"tensor", pin.name},
                    {"planned", stringOf(pin.planned)},
                    {"choices", std::move(choices)}});
  }
  for (const search::FrontPlan& plan : alternatives.front)
    front.push_back({{"memory", plan.memory},
                     {"seconds", plan.seconds},
                     {"lower_bound", plan.lowerBound}});
  return {{"strategies", std::move(strategies)},
          {"strategies_note", report.strategiesNote()},
          {"pins", std::move(pins)},
          {"pins_exact", alternatives.arePinsExact},
          {"pins_note", report.pinsNote()},
          {"front", std::move(front)}};
}

Json jsonOf(const std::vector<ExplainedStep>& steps) {
  Json json = Json::array();
  for (const ExplainedStep& step : steps)
    json.push_back({{"step", step.what},
                    {"axes", step.axes},
                    {"number", step.number},
                    {"part_bytes", step.partBytes},
                    {"bucket_bytes", step.bucketBytes},
                    {"bytes", step.bytes},
                    {"seconds", step.seconds}});
  return json;
}

/// Adds the tensor and the location of an op or a movement, if they are known.
void addSource(Json& json, const std::string& tensor,
               const std::string& place) {
  if (!tensor.empty()) json["tensor"] = tensor;
  if (!place.empty()) json["place"] = place;
}

Json jsonOf(const ExplainedFunction& function) {
  Json ops = Json::array(), movements = Json::array();
  for (const ExplainedOp& op : function.ops) {
    ops.push_back({{"op", op.name},
                   {"placement", op.placement},
                   {"type", op.type},
                   {"local_type", op.localType},
                   {"seconds", op.seconds},
                   {"saved", op.saved},
                   {"communicating", op.communicating},
                   {"steps", jsonOf(op.steps)}});
    addSource(ops.back(), op.tensor, op.place);
  }
  for (const ExplainedMovement& movement : function.movements) {
    movements.push_back({{"type", movement.type},
                         {"from", movement.from},
                         {"to", movement.to},
                         {"seconds", movement.seconds},
                         {"steps", jsonOf(movement.steps)}});
    addSource(movements.back(), movement.tensor, movement.place);
  }
  Json json = {{"function", function.name},
               {"layer", function.layer},
               {"times", function.times},
               {"computing", function.computing()},
               {"communicating", function.communicating()},
               {"ops", std::move(ops)},
               {"movements", std::move(movements)}};
  if (!function.calls.empty()) json["calls"] = function.calls;
  return json;
}

Json layersOf(const ExplainedEntry& entry) {
  Json layers = Json::array();
  for (const LayerShare& share : sharesOfLayers(entry))
    layers.push_back({{"layer", share.layer},
                      {"number", share.number},
                      {"computing", share.computing},
                      {"communicating", share.communicating}});
  return layers;
}

Json partsOf(const ExplainedEntry& entry) {
  Json parts = Json::array();
  for (const PartShare& share : sharesOfParts(entry)) {
    Json json = {{"layer", share.layer},
                 {"what", share.what},
                 {"type", share.type},
                 {"placement", share.to},
                 {"number", share.number},
                 {"computing", share.computing},
                 {"communicating", share.communicating},
                 {"steps", jsonOf(share.steps)},
                 {"tensors", share.tensors}};
    if (!share.from.empty()) json["from"] = share.from;
    if (!share.place.empty()) json["place"] = share.place;
    parts.push_back(std::move(json));
  }
  return parts;
}

}  // namespace

std::string jsonOf(const PlanReport& report) {
  Json axes = Json::array(), entries = Json::array();
  for (const MeshAxis& axis : report.mesh.axes)
    axes.push_back({{"name", axis.name},
                    {"size", axis.size},
                    {"alpha", axis.latencySeconds},
                    {"beta", axis.secondsPerByte}});
  for (const ExplainedEntry& entry : report.explanation.entries) {
    Json functions = Json::array(), levels = Json::array();
    for (const ExplainedFunction& function : entry.functions)
      functions.push_back(jsonOf(function));
    for (const LevelTraffic& traffic : entry.levels)
      levels.push_back({{"level", traffic.level},
                        {"axes", report.axesOn(traffic.level)},
                        {"bytes", traffic.bytes},
                        {"seconds", traffic.seconds}});
    double computing = entry.computing();
    double communicating = entry.communicating();
    Json json = {
        {"entry", entry.name},        {"seconds", computing + communicating},
        {"computing", computing},     {"communicating", communicating},
        {"saved", entry.saved()},     {"recomputing", entry.recomputing()},
        {"levels", std::move(levels)}};
    if (auto launches = report.launches.in(entry.name))
      json["launches"] = *launches;
    if (const search::EntryCost* cost = report.searchedCost(entry.name)) {
      json["counted"] = cost->seconds();
      json["lower_bound"] = cost->lowerBound;
      json["proof"] = report.proofText(entry, *cost);
      json["memory"] = jsonOf(cost->memory);
    }
    json["layers"] = layersOf(entry);
    json["parts"] = partsOf(entry);
    json["functions"] = std::move(functions);
    entries.push_back(std::move(json));
  }
  Json memory = {{"parameters", report.explanation.memory.parameters},
                 {"state", report.explanation.memory.state}};
  if (std::isfinite(report.device.memoryBytes))
    memory["device"] = report.device.memoryBytes;
  Json json = {{"model", report.model},
               {"mesh", std::move(axes)},
               {"main_entry", report.mainEntry().name},
               {"entries", std::move(entries)},
               {"memory", std::move(memory)},
               {"signatures", jsonOf(report.signatures)}};
  for (const search::MemoryPart& part : search::kMemoryParts)
    json["memory_parts"][part.key] = part.words;
  if (!report.searched.empty())
    json["propagated"] = {{"entry", report.searched.front().entry},
                          {"seconds", report.propagated}};
  if (!report.searched.empty())
    json["alternatives"] = jsonOf(report, report.alternatives);
  if (report.choices) json["pipelines"] = jsonOf(*report.choices);
  if (report.choices && report.choices->whatIf)
    json["what_if"] = jsonOf(*report.choices->whatIf, *report.choices);
  return json.dump(2) + "\n";
}

std::string htmlOf(const PlanReport& report) { return pageOf(jsonOf(report)); }

std::string pageOf(const std::string& json) {
  constexpr absl::string_view kPlace = ">REPORT<";
  absl::string_view page(sbp_report_begin, sbp_report_end - sbp_report_begin);
  size_t place = page.find(kPlace);
  // A name may contain "</script>", which would end the script.
  std::string escaped = absl::StrReplaceAll(json, {{"</", "<\\/"}});
  return absl::StrCat(page.substr(0, place + 1), escaped,
                      page.substr(place + kPlace.size() - 1));
}

}  // namespace sbp
