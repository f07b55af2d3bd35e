#include "codegen/driver/ExplanationText.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "nlohmann/json.hpp"
#include "runtime/bytes/Bytes.h"

extern "C" const char sbp_report_begin[], sbp_report_end[];

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

std::string secondsText(double seconds) {
  if (seconds == 0) return "-";
  if (seconds < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string meshText(const Mesh& mesh) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : mesh.axes)
    axes.push_back(fmt::format("{} {}", axis.size, axis.name));
  return fmt::format("{}", fmt::join(axes, " x "));
}

/// The axes of the mesh that are on `level` of the machine.
std::vector<std::string> axesOf(const Mesh& mesh, int64_t level) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes)
    if (axis.level == level) names.push_back(axis.name);
  return names;
}

/// What a device sends over the links of each level; empty if nothing.
std::string levelsText(const ExplainedEntry& entry, const Mesh& mesh) {
  std::vector<std::string> texts;
  for (const LevelTraffic& traffic : entry.levels)
    if (traffic.bytes > 0)
      texts.push_back(
          fmt::format("{} over {} in {}", bytes::toText(traffic.bytes),
                      fmt::join(axesOf(mesh, traffic.level), " and "),
                      secondsText(traffic.seconds)));
  if (texts.empty()) return "";
  return fmt::format("A device sends {}.\n", fmt::join(texts, ", "));
}

const search::EntryCost* searchedCost(const PlanReport& report,
                                      const std::string& entry) {
  for (const search::EntryCost& cost : report.searched)
    if (cost.entry == entry) return &cost;
  return nullptr;
}

/// How a cost relates to its bound, in words.
std::string proofText(const search::EntryCost& cost) {
  if (cost.isProven()) return "No plan takes less: proven.";
  if (cost.lowerBound == 0) return "Whether a plan takes less is open.";
  return fmt::format(
      "No plan takes less than {}; whether one takes less than this is open.",
      secondsText(cost.lowerBound));
}

/// What memory is for at the busiest moment.
std::string memoryText(const search::MemoryParts& memory) {
  std::vector<std::string> texts;
  for (const search::MemoryPart& part : search::kMemoryParts)
    if (double bytes = memory.*part.bytes; bytes > 0)
      texts.push_back(fmt::format("{} {}", bytes::toText(bytes), part.words));
  return fmt::format("Memory, when most is needed: {} = {}\n",
                     bytes::toText(memory.sum()), fmt::join(texts, " + "));
}

/// What the prices of pins mean.
std::string pinsNote(const search::Alternatives& alternatives) {
  return fmt::format(
      "{} How the optimiser's state of a parameter lies is left free; sbp.pin "
      "lays it like the parameter, unless sbp.state_pin says otherwise.",
      alternatives.arePinsExact
          ? "More seconds that the best plan with this one pin takes, where "
            "memory has no limit."
          : "Bounds: a plan with this one pin takes at least so much more. (It "
            "is not proven that this plan is the best where memory has no "
            "limit.)");
}

/// Tensors that may be pinned, those together that have the same choices.
std::string pinsText(const std::vector<search::PinChoices>& pins,
                     const char* sign) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const search::PinChoices& pin : pins) {
    if (pin.choices.size() < 2) continue;
    std::string line = fmt::format("{} now", stringOf(pin.planned));
    for (const search::PinChoices::Choice& choice : pin.choices)
      if (choice.placement != pin.planned)
        line += fmt::format(
            ", {} {}{}", stringOf(choice.placement), sign,
            choice.moreSeconds == 0 ? "0" : secondsText(choice.moreSeconds));
    auto group = llvm::find_if(
        groups, [&](const auto& known) { return known.first == line; });
    if (group == groups.end())
      groups.push_back({line, {pin.name}});
    else
      group->second.push_back(pin.name);
  }
  std::string text;
  for (const auto& [line, names] : groups)
    text += fmt::format("  {}{}: {}\n", names.front(),
                        names.size() == 1
                            ? ""
                            : fmt::format(" and {} like it", names.size() - 1),
                        line);
  return text;
}

std::string alternativesText(const PlanReport& report) {
  const search::EntryCost& first = report.searched.front();
  double seconds = first.seconds();
  std::string text = fmt::format("\nBeside this plan of @{}:\n", first.entry);
  auto add = [&](const std::string& name, double other,
                 const std::string& more) {
    double ratio = other / seconds;
    std::string times = ratio < 1e4 ? fmt::format("{:.2f}", ratio)
                                    : fmt::format("{:.1e}", ratio);
    text += fmt::format("  {:<40} {:>10} {:>7} x  {}\n", name,
                        secondsText(other), times, more);
  };
  for (const search::NamedStrategy& named : report.alternatives.strategies) {
    double memory = named.plan.memory.bytes;
    add(named.grid.empty() ? named.name
                           : fmt::format("{}, {}", named.name, named.grid),
        named.plan.solution.cost,
        bytes::toText(memory) +
            (memory > report.memoryBytes ? ", more than there is" : ""));
  }
  add("propagation from pins", report.propagated, "");
  const search::Alternatives& alternatives = report.alternatives;
  if (std::string pins =
          pinsText(alternatives.pins, alternatives.arePinsExact ? "+" : ">= ");
      !pins.empty())
    text +=
        fmt::format("\nWhat to pin one tensor otherwise would change:\n{}\n{}",
                    pinsNote(alternatives), pins);
  if (!report.alternatives.front.empty()) {
    text += "\nTime for memory:\n";
    for (const search::TradeOff& plan : report.alternatives.front)
      text += fmt::format(
          "  {:>10} {:>10}{}\n", bytes::toText(plan.memory),
          secondsText(plan.seconds),
          plan.lowerBound == plan.seconds
              ? ""
              : fmt::format(", no less than {}", secondsText(plan.lowerBound)));
  }
  return text;
}

void addSteps(std::string& text, const std::vector<ExplainedStep>& steps) {
  for (const ExplainedStep& step : steps)
    if (step.seconds > 0)
      text += fmt::format(
          "      {:<24} {:<57} {:>10}\n",
          step.number == 1 ? step.what
                           : fmt::format("{} x {}", step.number, step.what),
          fmt::format("over {}, {} sent", fmt::join(step.axes, " and "),
                      bytes::toText(step.bytes)),
          secondsText(step.seconds));
}

/// Numbers in ascending order, neighbours together: "0, 2 to 5, 9".
std::string rangesText(const std::vector<int64_t>& numbers) {
  std::vector<std::string> ranges;
  for (size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    for (end = begin + 1;
         end < numbers.size() && numbers[end] == numbers[end - 1] + 1;)
      ++end;
    ranges.push_back(end - begin == 1 ? fmt::format("{}", numbers[begin])
                                      : fmt::format("{} to {}", numbers[begin],
                                                    numbers[end - 1]));
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

/// How often the function runs, and for which calls.
std::string timesText(const ExplainedFunction& function) {
  std::string text;
  if (function.times > 1) text += fmt::format(", {} times", function.times);
  // The name has the first of the calls.
  if (function.calls.size() > 1)
    text += fmt::format(" (calls {})", rangesText(function.calls));
  return text;
}

void addFunction(std::string& text, const ExplainedFunction& function) {
  text += fmt::format("\n  @{}{}\n", function.name, timesText(function));
  for (const ExplainedOp& op : function.ops) {
    text += fmt::format("    {:<26} {:<16} {:>18} of {:<18} {:>10}\n", op.name,
                        op.placement, op.localType, op.type,
                        secondsText(op.seconds + op.communicating));
    addSteps(text, op.steps);
  }
  for (const ExplainedMovement& movement : function.movements) {
    if (movement.seconds == 0) continue;
    text += fmt::format("    {:<26} {:<35} to {:<18} {:>10}\n",
                        "move " + movement.type, movement.from, movement.to,
                        secondsText(movement.seconds));
    addSteps(text, movement.steps);
  }
}

Json jsonOf(const search::MemoryParts& memory) {
  Json json = {{"bytes", memory.sum()}};
  for (const search::MemoryPart& part : search::kMemoryParts)
    json[part.key] = memory.*part.bytes;
  return json;
}

Json jsonOf(const search::Alternatives& alternatives) {
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
  for (const search::TradeOff& plan : alternatives.front)
    front.push_back({{"memory", plan.memory},
                     {"seconds", plan.seconds},
                     {"lower_bound", plan.lowerBound}});
  return {{"strategies", std::move(strategies)},
          {"pins", std::move(pins)},
          {"pins_exact", alternatives.arePinsExact},
          {"pins_note", pinsNote(alternatives)},
          {"front", std::move(front)}};
}

Json jsonOf(const std::vector<ExplainedStep>& steps) {
  Json json = Json::array();
  for (const ExplainedStep& step : steps)
    json.push_back({{"step", step.what},
                    {"axes", step.axes},
                    {"number", step.number},
                    {"part_bytes", step.partBytes},
                    {"bytes", step.bytes},
                    {"seconds", step.seconds}});
  return json;
}

Json jsonOf(const ExplainedFunction& function) {
  Json ops = Json::array(), movements = Json::array();
  for (const ExplainedOp& op : function.ops)
    ops.push_back({{"op", op.name},
                   {"placement", op.placement},
                   {"type", op.type},
                   {"local_type", op.localType},
                   {"seconds", op.seconds},
                   {"communicating", op.communicating},
                   {"steps", jsonOf(op.steps)}});
  for (const ExplainedMovement& movement : function.movements)
    movements.push_back({{"type", movement.type},
                         {"from", movement.from},
                         {"to", movement.to},
                         {"seconds", movement.seconds},
                         {"steps", jsonOf(movement.steps)}});
  Json json = {{"function", function.name},
               {"times", function.times},
               {"computing", function.computing()},
               {"communicating", function.communicating()},
               {"ops", std::move(ops)},
               {"movements", std::move(movements)}};
  if (!function.calls.empty()) json["calls"] = function.calls;
  return json;
}

}  // namespace

std::string textOf(const PlanReport& report) {
  std::string text = fmt::format(
      "{} on {}\n"
      "Times and bytes are of one run of an entry, of all calls of "
      "a function together.\n",
      report.model, meshText(report.mesh));
  for (const ExplainedEntry& entry : report.explanation.entries) {
    double computing = entry.computing();
    double communicating = entry.communicating();
    text += fmt::format("\n@{}: {} = {} computing + {} communicating\n",
                        entry.name, secondsText(computing + communicating),
                        secondsText(computing), secondsText(communicating));
    text += levelsText(entry, report.mesh);
    if (const search::EntryCost* cost = searchedCost(report, entry.name)) {
      text += proofText(*cost) + "\n";
      text += memoryText(cost->memory);
    }
    for (const ExplainedFunction& function : entry.functions)
      addFunction(text, function);
  }

  const ExplainedMemory& memory = report.explanation.memory;
  text += fmt::format(
      "\nKept on each device: {} of parameters, {} of optimiser state{}\n",
      bytes::toText(memory.parameters), bytes::toText(memory.state),
      std::isfinite(report.memoryBytes)
          ? fmt::format(", of {}", bytes::toText(report.memoryBytes))
          : "");

  if (!report.searched.empty()) text += alternativesText(report);
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
    Json functions = Json::array(), levels = Json::array();
    for (const ExplainedFunction& function : entry.functions)
      functions.push_back(jsonOf(function));
    for (const LevelTraffic& traffic : entry.levels)
      levels.push_back({{"level", traffic.level},
                        {"axes", axesOf(report.mesh, traffic.level)},
                        {"bytes", traffic.bytes},
                        {"seconds", traffic.seconds}});
    double computing = entry.computing();
    double communicating = entry.communicating();
    Json json = {{"entry", entry.name},
                 {"seconds", computing + communicating},
                 {"computing", computing},
                 {"communicating", communicating},
                 {"levels", std::move(levels)}};
    if (const search::EntryCost* cost = searchedCost(report, entry.name)) {
      json["lower_bound"] = cost->lowerBound;
      json["memory"] = jsonOf(cost->memory);
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
  for (const search::MemoryPart& part : search::kMemoryParts)
    json["memory_parts"][part.key] = part.words;
  if (!report.searched.empty())
    json["propagated"] = {{"entry", report.searched.front().entry},
                          {"seconds", report.propagated}};
  if (!report.searched.empty())
    json["alternatives"] = jsonOf(report.alternatives);
  return json.dump(2) + "\n";
}

std::string htmlOf(const PlanReport& report) {
  constexpr absl::string_view kPlace = ">REPORT<";
  absl::string_view page(sbp_report_begin, sbp_report_end - sbp_report_begin);
  size_t place = page.find(kPlace);
  // A name may hold what would end the script.
  std::string json = absl::StrReplaceAll(jsonOf(report), {{"</", "<\\/"}});
  return absl::StrCat(page.substr(0, place + 1), json,
                      page.substr(place + kPlace.size() - 1));
}

}  // namespace sbp
