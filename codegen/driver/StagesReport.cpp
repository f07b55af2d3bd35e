#include "codegen/driver/StagesReport.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "codegen/driver/Quantities.h"
#include "codegen/driver/SignaturesReport.h"
#include "codegen/driver/TextTable.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "nlohmann/json.hpp"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Counted.h"
#include "runtime/trace/ChromeTrace.h"

namespace sbp {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kCrossingsOnPage = 15;

std::string percentText(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// Merges crossings that have the same task, source placement, target placement
/// and type.
std::vector<ExplainedCrossing> mergedCrossings(
    const std::vector<ExplainedCrossing>& crossings) {
  std::vector<ExplainedCrossing> all;
  std::vector<int64_t> numMore;  // tensors merged into each
  for (const ExplainedCrossing& crossing : crossings) {
    auto known = llvm::find_if(all, [&](const ExplainedCrossing& other) {
      return other.task == crossing.task && other.from == crossing.from &&
             other.to == crossing.to && other.type == crossing.type;
    });
    if (known == all.end()) {
      all.push_back(crossing);
      numMore.push_back(0);
      continue;
    }
    known->number += crossing.number;
    known->bytes += crossing.bytes;
    known->seconds += crossing.seconds;
    ++numMore[known - all.begin()];
  }
  for (auto [crossing, more] : llvm::zip(all, numMore))
    if (more > 0) crossing.tensor += fmt::format(" and {} more", more);
  return all;
}

/// Returns the lines on an entry's time, and on each group's share of it.
std::string runText(const StagesReport& report, const ExplainedRun& run) {
  std::string text = fmt::format("\n@{}: {}{}", run.entry,
                                 run.secondsOfOneStep ? "a step every " : "",
                                 secondsText(run.seconds));
  if (run.numMicroBatches > 1)
    text += fmt::format(" in {} micro-batches", run.numMicroBatches);
  if (run.secondsOfOneStep)
    text += fmt::format(
        ", {} of it bubble (idle)\nSteps overlap; a single step takes {}. The "
        "busiest group needs {} per step.\n\n",
        percentText(run.bubble()), secondsText(*run.secondsOfOneStep),
        secondsText(run.busiestGroup));
  else
    text += fmt::format(
        ", {} of it bubble (idle)\nNo order takes less than {}: the longest "
        "chain of tasks takes {}, the busiest group, with the tasks that must "
        "come before and after its own, {}.\n\n",
        percentText(run.bubble()), secondsText(run.lowerBound()),
        secondsText(run.longestChain), secondsText(run.busiestGroup));
  TextTable table("<<<>>>");
  table.add({"group", "ranks", "stages", "busy", "bubble", "sends"});
  for (auto [number, group] : llvm::enumerate(report.pipeline.groups))
    table.add({"@" + group.name, fmt::format("{}", fmt::join(group.ranks, " ")),
               fmt::format("{}", fmt::join(group.stages, " ")),
               secondsText(run.busy[number]), percentText(run.bubbleOf(number)),
               bytes::toText(run.sent[number])});
  return text + table.text(2) + report.launches.text(run.entry);
}

std::string tasksText(const StagesReport& report, const ExplainedRun& run) {
  TextTable table("<<>>>>");
  table.add({"task", "group", "runs", "each", "computing", "communicating"});
  for (const ExplainedTask& task : run.tasks) {
    auto runs = static_cast<double>(std::max<int64_t>(task.runs, 1));
    table.add({task.task.text(), "@" + report.pipeline.groups[task.group].name,
               fmt::format("{}", task.runs),
               secondsText((task.computing + task.communicating) / runs),
               secondsText(task.computing / runs),
               secondsText(task.communicating / runs)});
  }
  return "\nTime of one run of each task, with the collectives in its "
         "group:\n" +
         table.text(2);
}

std::string crossingsText(const ExplainedRun& run, size_t most) {
  std::vector<ExplainedCrossing> all = mergedCrossings(run.crossings);
  TextTable table("<<<>>><");
  table.add({"for", "from", "to", "times", "bytes each", "each", "tensor"});
  double bytes = 0;
  for (auto [number, crossing] : llvm::enumerate(all)) {
    bytes += crossing.bytes;
    if (number >= most) continue;
    auto times = static_cast<double>(crossing.number);
    table.add({crossing.task ? crossing.task->text() : "the step",
               crossing.from, crossing.to, fmt::format("{}", crossing.number),
               bytes::toText(crossing.bytes / times),
               secondsText(crossing.seconds / times), crossing.tensor});
  }
  std::string rest = all.size() > most
                         ? fmt::format("  and {} more\n", all.size() - most)
                         : "";
  return fmt::format("\nTensors sent between groups, {} in a run of @{}:\n{}{}",
                     bytes::toText(bytes), run.entry, table.text(2), rest);
}

/// Returns a rank with its groups: "rank 2, @back".
std::string rankText(const StagesReport& report, int64_t rank) {
  std::string text = fmt::format("rank {}", rank);
  for (size_t number : report.groupsOf(rank))
    text += fmt::format(", @{}", report.pipeline.groups[number].name);
  return text;
}

std::string memoryText(const StagesReport& report, const ExplainedRun& run) {
  TextTable table("<><");
  for (const ArenaUse& use : report.memory) {
    if (use.entry != run.entry) continue;
    std::vector<std::string> parts;
    for (const search::MemoryPart& part : search::kMemoryParts)
      if (double bytes = use.parts.*part.bytes; bytes > 0)
        parts.push_back(fmt::format("{} {}", part.words, bytes::toText(bytes)));
    table.add({rankText(report, use.rank),
               bytes::toText(static_cast<double>(use.bytes)),
               fmt::format("{}", fmt::join(parts, " + "))});
  }
  std::string text = table.text(2);
  if (text.empty()) return text;
  std::string limit =
      std::isfinite(report.memoryBytes)
          ? fmt::format(" (a device has {})", bytes::toText(report.memoryBytes))
          : "";
  return fmt::format(
      "\nPeak memory{}, one line for all ranks with the same tasks:\n{}", limit,
      text);
}

Json jsonOf(const ExplainedRun& run, const StagesReport& report) {
  Json groups = Json::array(), tasks = Json::array(), crossings = Json::array(),
       slices = Json::array();
  for (auto [number, group] : llvm::enumerate(report.pipeline.groups))
    groups.push_back({{"group", group.name},
                      {"busy", run.busy[number]},
                      {"bubble", run.bubbleOf(number)},
                      {"sent", run.sent[number]}});
  for (const ExplainedTask& task : run.tasks)
    tasks.push_back({{"task", task.task.text()},
                     {"group", report.pipeline.groups[task.group].name},
                     {"runs", task.runs},
                     {"computing", task.computing},
                     {"communicating", task.communicating},
                     {"after", task.secondsAfterCall}});
  for (const ExplainedCrossing& crossing : run.crossings) {
    Json json = {{"from", crossing.from},   {"to", crossing.to},
                 {"type", crossing.type},   {"number", crossing.number},
                 {"bytes", crossing.bytes}, {"seconds", crossing.seconds}};
    if (crossing.task) json["task"] = crossing.task->text();
    if (!crossing.tensor.empty()) json["tensor"] = crossing.tensor;
    if (!crossing.place.empty()) json["place"] = crossing.place;
    crossings.push_back(std::move(json));
  }
  for (const ExplainedSlice& slice : run.slices) {
    Json json = {{"group", report.pipeline.groups[slice.group].name},
                 {"what", slice.what},
                 {"start", slice.start},
                 {"end", slice.end}};
    if (slice.microBatch >= 0) json["micro_batch"] = slice.microBatch;
    slices.push_back(std::move(json));
  }
  Json json = {
      {"entry", run.entry},
      {"seconds", run.seconds},
      {"seconds_of_one_step", run.secondsOfOneStep.value_or(run.seconds)},
      {"micro_batches", run.numMicroBatches},
      {"bubble", run.bubble()},
      {"lower_bound", run.lowerBound()},
      {"longest_chain", run.longestChain},
      {"busiest_group", run.busiestGroup},
      {"groups", std::move(groups)},
      {"tasks", std::move(tasks)},
      {"crossings", std::move(crossings)},
      {"slices", std::move(slices)}};
  if (auto launches = report.launches.in(run.entry))
    json["launches"] = *launches;
  return json;
}

}  // namespace

const ExplainedRun& StagesReport::mainRun() const {
  const auto secondsOf = [](const ExplainedRun& run) {
    return run.secondsOfOneStep.value_or(run.seconds);
  };
  return *llvm::max_element(pipeline.runs,
                            [&](const ExplainedRun& a, const ExplainedRun& b) {
                              return secondsOf(a) < secondsOf(b);
                            });
}

std::vector<size_t> StagesReport::groupsOf(int64_t rank) const {
  std::vector<size_t> numbers;
  for (auto [number, group] : llvm::enumerate(pipeline.groups))
    if (llvm::is_contained(group.ranks, rank)) numbers.push_back(number);
  return numbers;
}

std::string textOf(const StagesReport& report, bool isFull) {
  size_t numStages = 0;
  for (const ExplainedGroup& group : report.pipeline.groups)
    numStages += group.stages.size();
  std::string text = fmt::format(
      "{} in {} on {}\n", report.model,
      text::counted(int64_t(numStages), "stage"),
      text::counted(int64_t(report.pipeline.groups.size()), "group"));
  const ExplainedRun& main = report.mainRun();
  text += runText(report, main);
  text += tasksText(report, main);
  text += crossingsText(
      main, isFull ? std::numeric_limits<size_t>::max() : kCrossingsOnPage);
  text += memoryText(report, main);
  for (const ExplainedRun& run : report.pipeline.runs) {
    if (&run == &main) continue;
    text += runText(report, run);
    if (isFull) text += tasksText(report, run) + memoryText(report, run);
  }
  if (report.choices) text += textOf(*report.choices);
  if (isFull) text += textOf(report.signatures);
  return text;
}

std::string jsonOf(const StagesReport& report) {
  Json groups = Json::array(), runs = Json::array(), memory = Json::array();
  for (const ExplainedGroup& group : report.pipeline.groups)
    groups.push_back({{"group", group.name},
                      {"ranks", group.ranks},
                      {"stages", group.stages}});
  for (const ExplainedRun& run : report.pipeline.runs)
    runs.push_back(jsonOf(run, report));
  for (const ArenaUse& use : report.memory) {
    Json json = {
        {"entry", use.entry}, {"rank", use.rank}, {"bytes", use.bytes}};
    for (const search::MemoryPart& part : search::kMemoryParts)
      json[part.key] = use.parts.*part.bytes;
    memory.push_back(std::move(json));
  }
  Json json = {{"model", report.model},
               {"groups", std::move(groups)},
               {"main_entry", report.mainRun().entry},
               {"runs", std::move(runs)},
               {"memory", std::move(memory)},
               {"signatures", jsonOf(report.signatures)}};
  if (report.choices) json["pipelines"] = jsonOf(*report.choices);
  if (report.choices && report.choices->whatIf)
    json["what_if"] = jsonOf(*report.choices->whatIf, *report.choices);
  if (std::isfinite(report.memoryBytes))
    json["device_memory"] = report.memoryBytes;
  for (const search::MemoryPart& part : search::kMemoryParts)
    json["memory_parts"][part.key] = part.words;
  return json.dump(2) + "\n";
}

std::string traceOf(const StagesReport& report) {
  constexpr double kMicroseconds = 1e6;
  constexpr int64_t kTasks = 0;
  trace::ChromeTrace trace;
  int64_t numRanks = 0;
  for (const ExplainedGroup& group : report.pipeline.groups)
    for (int64_t rank : group.ranks) numRanks = std::max(numRanks, rank + 1);
  const ExplainedRun& run = report.mainRun();
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    std::vector<size_t> groups = report.groupsOf(rank);
    if (groups.empty()) continue;
    trace.addProcess(rank, rankText(report, rank));
    trace.addRow(rank, kTasks, "tasks");
    trace.addSlice(rank, kTasks,
                   {"step 1", "step", 0, kMicroseconds * run.seconds});
    for (const ExplainedSlice& slice : run.slices) {
      if (!llvm::is_contained(groups, slice.group)) continue;
      std::string name = slice.microBatch < 0 ? slice.what
                                              : fmt::format("{} {}", slice.what,
                                                            slice.microBatch);
      trace.addSlice(
          rank, kTasks,
          {name, "task", kMicroseconds * slice.start,
           kMicroseconds * (slice.end - slice.start), slice.microBatch});
    }
  }
  return std::string(trace::kFileBegin) + trace.text() +
         std::string(trace::kFileEnd);
}

}  // namespace sbp
