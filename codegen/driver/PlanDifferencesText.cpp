#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/driver/PlanDifferences.h"
#include "codegen/driver/Quantities.h"
#include "codegen/driver/TextTable.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/bytes/Bytes.h"

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLinesOnPage = 20;  // of changed placements, per list
constexpr size_t kNamesOnLine = 3;

/// Number of characters of a table's rows and of groups' ranks that are shown.
constexpr size_t kMostText = 60;

/// The parts of a step's time.
constexpr std::pair<const char*, double PlannedTime::*> kTimes[] = {
    {"computing", &PlannedTime::computing},
    {"communicating in a group", &PlannedTime::communicating},
    {"outside of tasks", &PlannedTime::other},
    {"idle", &PlannedTime::idle},
};

std::string cut(std::string text) {
  if (text.size() > kMostText) text = text.substr(0, kMostText) + " ...";
  return text;
}

/// Returns the change from `a` to `b`: "+12.5 %"; empty if there is none.
std::string changeText(double a, double b) {
  constexpr double kLeastShown = 0.0005;
  if (a == 0 || std::abs(b - a) < kLeastShown * a) return "";
  return fmt::format("{:+.1f} %", 100 * (b - a) / a);
}

std::string groupsText(const PlannedProgram& program) {
  std::vector<std::string> texts;
  for (const PlannedGroup& group : program.groups) {
    const std::string text = fmt::format("{}", fmt::join(group.extents, " x "));
    if (texts.empty() || texts.back() != text) texts.push_back(text);
  }
  return fmt::format("{} of {} ranks", program.groups.size(),
                     fmt::join(texts, ", "));
}

std::string recomputedText(const PlannedProgram& program) {
  return program.recomputed.empty()
             ? "-"
             : fmt::format("{}", fmt::join(program.recomputed, ", "));
}

std::string pipelineText(const PlanDifferences& differences) {
  if (differences.arePipelinesAlike) return "\nPipeline: the same\n";
  TextTable table("<<<");
  const auto add = [&](const char* what, auto textOf) {
    const std::string a = textOf(differences.a), b = textOf(differences.b);
    if (a != b) table.add({what, cut(a), cut(b)});
  };
  add("groups", groupsText);
  add("stages", [](const PlannedProgram& program) {
    return std::to_string(std::max<size_t>(program.stages.size(), 1));
  });
  add("micro-batches", [](const PlannedProgram& program) {
    return std::to_string(program.microBatches);
  });
  add("schedule",
      [](const PlannedProgram& program) { return program.schedule; });
  add("computed again", recomputedText);
  const std::string text = table.text(2);
  if (!text.empty()) return "\nPipeline:\n" + text;
  // Ranks of groups, or tables without a family, are left.
  for (size_t i = 0; i < differences.a.groups.size(); ++i) {
    const auto row = [&](const PlannedProgram& program) {
      return cut(fmt::format(
          "ranks {}; {}", fmt::join(program.groups[i].ranks, " "),
          i < program.rows.size() ? program.rows[i] : "no schedule"));
    };
    table.add({"@" + differences.a.groups[i].name, row(differences.a),
               row(differences.b)});
  }
  return "\nPipeline:\n" + table.text(2);
}

std::string callsText(const PlannedStage& stage) {
  std::vector<std::string> texts;
  for (const auto& [layer, number] : stage.calls)
    texts.push_back(number == 1 ? layer
                                : fmt::format("{} x {}", number, layer));
  return fmt::format("{} = {}", stage.units, fmt::join(texts, ", "));
}

std::string stagesText(const PlanDifferences& differences) {
  const auto &a = differences.a.stages, &b = differences.b.stages;
  if (a.empty() && b.empty()) return "";
  if (differences.areStagesAlike) return "\nUnits of each stage: the same\n";
  TextTable table("><<");
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string before = i < a.size() ? callsText(a[i]) : "-";
    const std::string after = i < b.size() ? callsText(b[i]) : "-";
    table.add({std::to_string(i), before, before == after ? "same" : after});
  }
  return "\nUnits of each stage:\n" + table.text(2);
}

std::string namesText(const PlacementChange& change, bool isFull) {
  const size_t most = isFull ? change.names.size() : kNamesOnLine;
  std::vector<std::string> names(
      change.names.begin(),
      change.names.begin() + std::min(most, change.names.size()));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (change.names.size() > most)
    text += fmt::format(" and {} more", change.names.size() - most);
  return text;
}

std::string placementsText(const char* what,
                           const std::vector<PlacementChange>& changes,
                           bool isFull) {
  if (changes.empty()) return fmt::format("\n{}: the same placements\n", what);
  std::string text = fmt::format("\n{} whose placements differ:\n", what);
  const size_t most = isFull ? changes.size() : kLinesOnPage;
  for (size_t i = 0; i < std::min(most, changes.size()); ++i) {
    const PlacementChange& change = changes[i];
    text += fmt::format(
        "  {} x {}{}: {} -> {}\n", change.number, namesText(change, isFull),
        change.layer.empty() ? "" : fmt::format(" in @{}", change.layer),
        change.from, change.to);
  }
  if (changes.size() > most)
    text +=
        fmt::format("  and {} more lines (--details)\n", changes.size() - most);
  return text;
}

std::string timesText(const PlanDifferences& differences) {
  const auto &a = differences.a, &b = differences.b;
  TextTable table("<>>>");
  const auto add = [&](const std::string& what, double before, double after,
                       std::string (*textOf)(double)) {
    if (before == 0 && after == 0) return;
    table.add({what, textOf(before), textOf(after), changeText(before, after)});
  };
  const auto bytesText = [](double bytes) { return bytes::toText(bytes); };
  const std::string entry = a.entry == b.entry
                                ? "@" + a.entry
                                : fmt::format("@{}, @{}", a.entry, b.entry);
  add(entry, a.seconds, b.seconds, secondsText);
  for (auto [what, part] : kTimes)
    add(fmt::format("  {}", what), a.time.*part, b.time.*part, secondsText);
  add("sent between groups", a.sent, b.sent, bytesText);
  return "\nTime of a step, its parts in the mean over ranks:\n" +
         table.text(2);
}

std::string memoryText(const PlanDifferences& differences) {
  const auto &a = differences.a, &b = differences.b;
  if (!a.hasMemory || !b.hasMemory)
    return "\nMemory: buffers of a program cannot be laid out\n";
  TextTable table("<>>>");
  for (size_t i = 0; i < std::max(a.groups.size(), b.groups.size()); ++i) {
    const auto bytesOf = [&](const PlannedProgram& program) {
      return i < program.groups.size() ? std::optional(program.groups[i].bytes)
                                       : std::nullopt;
    };
    const auto before = bytesOf(a), after = bytesOf(b);
    table.add({fmt::format("group {}", i),
               before ? bytes::toText(*before) : "-",
               after ? bytes::toText(*after) : "-",
               before && after ? changeText(*before, *after) : ""});
  }
  table.add({"of the rank that needs most", bytes::toText(a.parts.sum()),
             bytes::toText(b.parts.sum()),
             changeText(a.parts.sum(), b.parts.sum())});
  for (const search::MemoryPart& part : search::kMemoryParts) {
    const double before = a.parts.*part.bytes, after = b.parts.*part.bytes;
    if (before > 0 || after > 0)
      table.add({fmt::format("  {}", part.words), bytes::toText(before),
                 bytes::toText(after), changeText(before, after)});
  }
  return "\nPeak memory:\n" + table.text(2);
}

Json jsonOf(const PlannedProgram& program) {
  Json groups = Json::array(), stages = Json::array();
  for (const PlannedGroup& group : program.groups) {
    Json json = {{"ranks", group.ranks},
                 {"extents", group.extents},
                 {"busy", group.busy}};
    if (!group.name.empty()) json["group"] = group.name;
    if (program.hasMemory) json["bytes"] = group.bytes;
    groups.push_back(std::move(json));
  }
  for (const PlannedStage& stage : program.stages) {
    Json calls = Json::object();
    for (const auto& [layer, number] : stage.calls) calls[layer] = number;
    stages.push_back({{"group", stage.group},
                      {"units", stage.units},
                      {"calls", std::move(calls)}});
  }
  Json time = {{"seconds", program.seconds}};
  time["computing"] = program.time.computing;
  time["communicating"] = program.time.communicating;
  time["other"] = program.time.other;
  time["idle"] = program.time.idle;
  Json json = {
      {"file", program.path},         {"groups", std::move(groups)},
      {"stages", std::move(stages)},  {"micro_batches", program.microBatches},
      {"schedule", program.schedule}, {"recomputed", program.recomputed},
      {"entry", program.entry},       {"time", std::move(time)},
      {"sent", program.sent}};
  if (!program.hasMemory) return json;
  json["memory"] = {{"bytes", program.parts.sum()}};
  for (const search::MemoryPart& part : search::kMemoryParts)
    json["memory"][part.key] = program.parts.*part.bytes;
  return json;
}

Json jsonOf(const std::vector<PlacementChange>& changes) {
  Json all = Json::array();
  for (const PlacementChange& change : changes) {
    Json json = {{"number", change.number},
                 {"names", change.names},
                 {"from", change.from},
                 {"to", change.to}};
    if (!change.layer.empty()) json["layer"] = change.layer;
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

std::string textOf(const PlanDifferences& differences, bool isFull) {
  const auto &a = differences.a, &b = differences.b;
  std::string text = fmt::format("A: {}\nB: {}\n", a.path, b.path);
  if (differences.areAlike()) text += "\nThe plans are the same.\n";
  text += pipelineText(differences) + stagesText(differences);
  text += placementsText("Parameters", differences.parameters, isFull);
  text += placementsText("Tensors", differences.tensors, isFull);
  return text + timesText(differences) + memoryText(differences);
}

Json jsonOf(const PlanDifferences& differences) {
  return {{"a", jsonOf(differences.a)},
          {"b", jsonOf(differences.b)},
          {"same", differences.areAlike()},
          {"same_pipeline", differences.arePipelinesAlike},
          {"same_stages", differences.areStagesAlike},
          {"parameters", jsonOf(differences.parameters)},
          {"tensors", jsonOf(differences.tensors)}};
}

}  // namespace sbp
