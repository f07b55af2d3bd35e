#include "passes/schedule/Table.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "fmt/format.h"

namespace sbp::schedule {
namespace {

/// Returns the name of a part: "3", or "3.1" if micro-batches have parts.
std::string partName(const Table& table, int64_t part) {
  const int64_t parts = table.partsPerMicroBatch;
  if (parts == 1) return fmt::format("{}", part);
  return fmt::format("{}.{}", part / parts, part % parts);
}

}  // namespace

std::string_view nameOf(Kind kind) {
  switch (kind) {
    case Kind::Forward:
      return "forward";
    case Kind::Backward:
      return "backward";
    case Kind::Input:
      return "backward of inputs";
    case Kind::Weight:
      return "backward of weights";
    case Kind::Recompute:
      return "recomputation";
    case Kind::Reduce:
      return "reduction of gradients";
    case Kind::Update:
      return "update";
  }
  return "?";
}

bool operator==(const Task& a, const Task& b) {
  auto fields = [](const Task& task) {
    return std::tie(task.kind, task.stage, task.first, task.count,
                    task.stepOffset);
  };
  return fields(a) == fields(b);
}

bool operator==(const Table& a, const Table& b) {
  auto fields = [](const Table& table) {
    return std::tie(table.numStages, table.numMicroBatches,
                    table.partsPerMicroBatch, table.delay, table.workers);
  };
  return fields(a) == fields(b);
}

int64_t numOverlappedSteps(const Table& table) {
  int64_t most = 0;
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks) most = std::max(most, -task.stepOffset);
  return most;
}

Table unrolled(const Table& table, int64_t numSteps) {
  Table all = table;
  all.numMicroBatches *= numSteps;
  // The last rounds run only tasks of earlier steps.
  const int64_t numRounds = numSteps + numOverlappedSteps(table);
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    std::vector<Task>& tasks = all.workers[worker];
    tasks.clear();
    for (int64_t round = 0; round < numRounds; ++round)
      for (Task task : table.workers[worker]) {
        const int64_t step = round + task.stepOffset;
        if (step < 0 || step >= numSteps) continue;
        task.first += step * table.numParts();
        task.stepOffset = 0;
        tasks.push_back(task);
      }
  }
  return all;
}

std::string describeParts(const Table& table, int64_t first, int64_t count) {
  const int64_t parts = table.partsPerMicroBatch;
  // Whole micro-batches are named as such.
  if (parts > 1 && first % parts == 0 && count % parts == 0) {
    Table whole;
    return describeParts(whole, first / parts, count / parts);
  }
  if (count == 1) return "micro-batch " + partName(table, first);
  return fmt::format("micro-batches {}-{}", partName(table, first),
                     partName(table, first + count - 1));
}

std::string describe(const Table& table, const Task& task) {
  std::string text =
      fmt::format("{} of stage {}", nameOf(task.kind), task.stage);
  if (!isOfWholeStep(table, task))
    text += ", " + describeParts(table, task.first, task.count);
  if (task.stepOffset == -1) text += ", of the step before";
  if (task.stepOffset < -1)
    text += fmt::format(", of the step {} before", -task.stepOffset);
  return text;
}

bool isOfWholeStep(const Table& table, const Task& task) {
  return !isPerPart(task.kind) && task.first == 0 &&
         task.count == table.numParts();
}

}  // namespace sbp::schedule
