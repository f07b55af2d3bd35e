#include "passes/search/allocation/PatternTable.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "passes/search/allocation/PatternOperations.h"

namespace sbp::search {
namespace {

using schedule::Kind;
using schedule::Table;
using schedule::Task;

/// Part of a period within which two starts count as one.
constexpr double kSameStart = 1e-7;

/// An operation in a period.
struct Placed {
  double time = 0, duration = 0;  // time since the start of the period
  int64_t periods = 0;            // since that of the micro-batch's first one
  int64_t operation = 0;

  bool operator<(const Placed& other) const {
    return std::tie(time, duration, operation) <
           std::tie(other.time, other.duration, other.operation);
  }
};

std::vector<Placed> placedOn(const std::vector<int64_t>& resource,
                             const PatternOperations& operations,
                             const Pattern& pattern) {
  std::vector<Placed> placed;
  for (int64_t operation : resource) {
    const double start = pattern.starts[operation] - pattern.starts[0];
    const double periods = std::floor(start / pattern.period + kSameStart);
    // Rounded, so that equal starts compare equal.
    const double grid = kSameStart * pattern.period;
    const double time =
        grid * std::round((start - periods * pattern.period) / grid);
    placed.push_back({time, operations.durations[operation],
                      static_cast<int64_t>(periods), operation});
  }
  std::sort(placed.begin(), placed.end());
  return placed;
}

}  // namespace

PatternTable tableOfPattern(const StageCosts& costs, const Pattern& pattern,
                            TableWorkers workers) {
  const PatternOperations operations = operationsOf(costs, pattern.allocation);
  const int64_t count = operations.numbers.count();
  const bool hasLinks = workers == TableWorkers::kProcessorsAndLinks;
  PatternTable result;
  Table& table = result.table;
  table.numMicroBatches = 1;
  table.numStages = hasLinks ? count / 2 : operations.numbers.numStages;

  // Operation i of the way there and the one with the same place on the way
  // back belong to one stage. Every other pair is of a transfer.
  const int64_t step = hasLinks ? 1 : 2;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    result.forward.push_back(operations.durations[stage * step]);
    result.backward.push_back(operations.durations[count - 1 - stage * step]);
  }
  const size_t numWorkers =
      hasLinks ? operations.resources.size() : operations.stages.size();
  for (size_t worker = 0; worker < numWorkers; ++worker) {
    std::vector<Task>& tasks = table.workers.emplace_back();
    for (const Placed& placed :
         placedOn(operations.resources[worker], operations, pattern)) {
      const bool isBack = placed.operation >= count / 2;
      const int64_t there =
          isBack ? count - 1 - placed.operation : placed.operation;
      tasks.push_back({isBack ? Kind::Backward : Kind::Forward, there / step, 0,
                       1, -placed.periods});
      if (!isBack) continue;
      tasks.push_back(tasks.back());
      tasks.back().kind = Kind::Update;
    }
  }
  std::sort(table.workers.begin(), table.workers.end(),
            [](const std::vector<Task>& a, const std::vector<Task>& b) {
              auto firstStage = [](const std::vector<Task>& tasks) {
                int64_t least = tasks[0].stage;
                for (const Task& task : tasks)
                  least = std::min(least, task.stage);
                return least;
              };
              return firstStage(a) < firstStage(b);
            });
  return result;
}

Table flushedTable(const Table& pattern, int64_t microBatches) {
  Table table = schedule::unrolled(pattern, microBatches);
  for (std::vector<Task>& tasks : table.workers)
    tasks.erase(std::remove_if(
                    tasks.begin(), tasks.end(),
                    [](const Task& task) { return task.kind == Kind::Update; }),
                tasks.end());
  return table;
}

}  // namespace sbp::search
