#include "codegen/driver/ExplanationText.h"

#include <cmath>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "nlohmann/json.hpp"

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

std::string secondsText(double seconds) {
  if (seconds == 0) return "-";
  if (seconds < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string bytesText(double bytes) {
  const char* const kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string meshText(const Mesh& mesh) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : mesh.axes)
    axes.push_back(fmt::format("{} {}", axis.size, axis.name));
  return fmt::format("{}", fmt::join(axes, " x "));
}

const search::EntryCost* searchedCost(const PlanReport& report,
                                      const std::string& entry) {
  for (const search::EntryCost& cost : report.searched)
    if (cost.entry == entry) return &cost;
  return nullptr;
}

/// How a cost relates to its bound, in words.
std::string proofText(const search::EntryCost& cost) {
  double total = cost.computing + cost.communicating;
  double gap = total - cost.lowerBound;
  if (gap <= 1e-9 * total) return "No plan takes less: proven.";
  return fmt::format(
      "No plan takes less than {}; whether one takes less than this is open.",
      secondsText(cost.lowerBound));
}

void addFunction(std::string& text, const ExplainedFunction& function) {
  text += fmt::format(
      "\n  @{}{}\n", function.name,
      function.times == 1 ? "" : fmt::format(", {} times", function.times));
  for (const ExplainedOp& op : function.ops)
    text += fmt::format("    {:<26} {:<16} {:>18} of {:<18} {:>10}\n", op.name,
                        op.placement, op.localType, op.type,
                        secondsText(op.seconds));
  for (const ExplainedMovement& movement : function.movements) {
    if (movement.seconds == 0) continue;
    text += fmt::format("    {:<26} {:<33} to {:<18} {:>10}\n",
                        "move " + movement.type, movement.from, movement.to,
                        secondsText(movement.seconds));
    for (const ExplainedStep& step : movement.steps)
      if (step.seconds > 0)
        text +=
            fmt::format("      {:<24} over {}, {}\n", step.what,
                        fmt::join(step.axes, " and "), bytesText(step.bytes));
  }
}

Json jsonOf(const ExplainedFunction& function) {
  Json ops = Json::array(), movements = Json::array();
  for (const ExplainedOp& op : function.ops)
    ops.push_back({{"op", op.name},
                   {"placement", op.placement},
                   {"type", op.type},
                   {"local_type", op.localType},
                   {"seconds", op.seconds}});
  for (const ExplainedMovement& movement : function.movements) {
    Json steps = Json::array();
    for (const ExplainedStep& step : movement.steps)
      steps.push_back({{"step", step.what},
                       {"axes", step.axes},
                       {"bytes", step.bytes},
                       {"seconds", step.seconds}});
    movements.push_back({{"type", movement.type},
                         {"from", movement.from},
                         {"to", movement.to},
                         {"seconds", movement.seconds},
                         {"steps", std::move(steps)}});
  }
  return {{"function", function.name},
          {"times", function.times},
          {"computing", function.computing()},
          {"communicating", function.communicating()},
          {"ops", std::move(ops)},
          {"movements", std::move(movements)}};
}

}  // namespace

std::string textOf(const PlanReport& report) {
  std::string text =
      fmt::format("{} on {}\n", report.model, meshText(report.mesh));
  for (const ExplainedEntry& entry : report.explanation.entries) {
    double computing = entry.computing();
    double communicating = entry.communicating();
    text += fmt::format("\n@{}: {} = {} computing + {} communicating\n",
                        entry.name, secondsText(computing + communicating),
                        secondsText(computing), secondsText(communicating));
    if (const search::EntryCost* cost = searchedCost(report, entry.name)) {
      text += proofText(*cost) + "\n";
      text += fmt::format("It takes {} of memory when it takes most.\n",
                          bytesText(cost->memory));
    }
    for (const ExplainedFunction& function : entry.functions)
      addFunction(text, function);
  }

  const ExplainedMemory& memory = report.explanation.memory;
  text += fmt::format(
      "\nKept on each device: {} of parameters, {} of optimiser state{}\n",
      bytesText(memory.parameters), bytesText(memory.state),
      std::isfinite(report.memoryBytes)
          ? fmt::format(", of {}", bytesText(report.memoryBytes))
          : "");

  if (!report.searched.empty()) {
    const search::EntryCost& first = report.searched.front();
    double seconds = first.computing + first.communicating;
    text += fmt::format(
        "By propagation (data parallel, but for pins) @{} would take {}, "
        "{:.2f} x\n",
        first.entry, secondsText(report.propagated),
        report.propagated / seconds);
  }
  return text;
}

std::string jsonOf(const PlanReport& report) {
  Json axes = Json::array(), entries = Json::array();
  for (const MeshAxis& axis : report.mesh.axes)
    axes.push_back({{"name", axis.name},
                    {"size", axis.size},
                    {"alpha", axis.latencySeconds},
                    {"beta", axis.secondsPerByte}});
  for (const ExplainedEntry& entry : report.explanation.entries) {
    Json functions = Json::array();
    for (const ExplainedFunction& function : entry.functions)
      functions.push_back(jsonOf(function));
    double computing = entry.computing();
    double communicating = entry.communicating();
    Json json = {{"entry", entry.name},
                 {"seconds", computing + communicating},
                 {"computing", computing},
                 {"communicating", communicating}};
    if (const search::EntryCost* cost = searchedCost(report, entry.name)) {
      json["lower_bound"] = cost->lowerBound;
      json["memory"] = cost->memory;
    }
    json["functions"] = std::move(functions);
    entries.push_back(std::move(json));
  }
  Json memory = {{"parameters", report.explanation.memory.parameters},
                 {"state", report.explanation.memory.state}};
  if (std::isfinite(report.memoryBytes)) memory["device"] = report.memoryBytes;
  Json json = {{"model", report.model},
               {"mesh", std::move(axes)},
               {"entries", std::move(entries)},
               {"memory", std::move(memory)}};
  if (!report.searched.empty())
    json["propagated"] = {{"entry", report.searched.front().entry},
                          {"seconds", report.propagated}};
  return json.dump(2) + "\n";
}

}  // namespace sbp
