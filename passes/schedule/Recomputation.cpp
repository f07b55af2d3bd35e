#include "passes/schedule/Recomputation.h"

#include <utility>
#include <vector>

#include "passes/schedule/Slots.h"

namespace sbp::schedule {
namespace {

std::set<int64_t> stagesOf(const Table& table) {
  std::set<int64_t> stages;
  for (int64_t stage = 0; stage < table.numStages; ++stage)
    stages.insert(stage);
  return stages;
}

}  // namespace

Table withRecomputation(const Table& table) {
  return withRecomputation(table, stagesOf(table));
}

Table withRecomputation(const Table& table, const std::set<int64_t>& stages) {
  using Piece = std::pair<int64_t, int64_t>;  // stage, part
  std::set<Piece> recomputed;
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Recompute)
        for (int64_t part = task.first; part < task.end(); ++part)
          recomputed.emplace(task.stage, part);
  Table result = table;
  for (std::vector<Task>& tasks : result.workers) {
    std::vector<Task> longer;
    for (const Task& task : tasks) {
      if ((task.kind == Kind::Backward || task.kind == Kind::Input) &&
          stages.count(task.stage) > 0)
        for (int64_t part = task.first; part < task.end();) {
          int64_t end = part;
          while (end < task.end() && recomputed.count({task.stage, end}) == 0)
            ++end;
          if (end > part)
            longer.push_back({Kind::Recompute, task.stage, part, end - part,
                              task.stepOffset});
          part = end + 1;
        }
      longer.push_back(task);
    }
    tasks = std::move(longer);
  }
  return result;
}

bool isRecomputed(const Table& table) {
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Recompute) return true;
  return false;
}

std::set<int64_t> stagesThatGain(const Table& table) {
  std::set<int64_t> stages;
  for (const std::vector<StageSlots>& ofWorker :
       slotsOf(withRecomputation(table)))
    for (const StageSlots& slots : ofWorker)
      if (slots.recomputed < slots.inFlight) stages.insert(slots.stage);
  return stages;
}

}  // namespace sbp::schedule
