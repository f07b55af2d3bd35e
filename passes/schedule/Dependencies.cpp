#include "passes/schedule/Dependencies.h"

#include <algorithm>
#include <array>

namespace sbp::schedule {
namespace {

constexpr int64_t kNone = -1;

/// Maps each kind, stage and part to the number of the task that does this
/// work.
class TaskIndex {
 public:
  explicit TaskIndex(const Table& table)
      : numParts_(table.numParts()), numPieces_(table.numStages * numParts_) {
    for (std::vector<int64_t>& doers : ofKind_) doers.assign(numPieces_, kNone);
  }

  void add(const Task& task, int64_t number) {
    if (!isPerPart(task.kind)) return;
    for (int64_t part = task.first; part < task.end(); ++part)
      ofKind_[static_cast<int>(task.kind)][task.stage * numParts_ + part] =
          number;
  }

  /// Returns the tasks for which `task` waits by the rules, possibly with
  /// repetitions. If `task` is a reduction, the result has gradients of all
  /// workers.
  std::vector<int64_t> neededBy(const Task& task) const {
    std::vector<int64_t> needed;
    auto need = [&](int64_t number) {
      if (number != kNone) needed.push_back(number);
    };
    const int64_t stage = task.stage;
    for (int64_t part = task.first; part < task.end(); ++part) {
      switch (task.kind) {
        case Kind::Forward:
          need(of(Kind::Forward, stage - 1, part));
          break;
        case Kind::Recompute:
          need(of(Kind::Forward, stage, part));
          break;
        case Kind::Backward:
        case Kind::Input:
          need(of(Kind::Forward, stage, part));
          need(of(Kind::Recompute, stage, part));
          need(inputGradient(stage + 1, part));
          break;
        case Kind::Weight:
          need(of(Kind::Input, stage, part));
          break;
        case Kind::Reduce:
        case Kind::Update:
          need(weightGradient(stage, part));
          break;
      }
    }
    return needed;
  }

 private:
  /// Returns the number of the task; kNone if there is no such task or stage.
  int64_t of(Kind kind, int64_t stage, int64_t part) const {
    const int64_t piece = stage * numParts_ + part;
    if (piece < 0 || piece >= numPieces_) return kNone;
    return ofKind_[static_cast<int>(kind)][piece];
  }

  /// Returns the task that makes the gradient of the stage's inputs.
  int64_t inputGradient(int64_t stage, int64_t part) const {
    const int64_t whole = of(Kind::Backward, stage, part);
    return whole != kNone ? whole : of(Kind::Input, stage, part);
  }

  int64_t weightGradient(int64_t stage, int64_t part) const {
    const int64_t whole = of(Kind::Backward, stage, part);
    return whole != kNone ? whole : of(Kind::Weight, stage, part);
  }

  int64_t numParts_, numPieces_;
  std::array<std::vector<int64_t>, kNumPerPartKinds> ofKind_;
};

}  // namespace

Dependencies::Dependencies(const Table& table) : table_(table) {
  TaskIndex index(table);
  std::vector<std::vector<int64_t>> reductions(table.numStages);
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    firsts_.push_back(numTasks());
    for (const Task& task : table.workers[worker]) {
      index.add(task, numTasks());
      if (task.kind == Kind::Reduce)
        reductions[task.stage].push_back(numTasks());
      tasks_.push_back(&task);
      workers_.push_back(worker);
    }
  }
  firsts_.push_back(numTasks());

  ends_ = {0};
  for (int64_t number = 0; number < numTasks(); ++number) {
    const Task& task = *tasks_[number];
    std::vector<int64_t> found = index.neededBy(task);
    if (task.kind == Kind::Reduce)
      found.erase(std::remove_if(found.begin(), found.end(),
                                 [&](int64_t gradient) {
                                   return workers_[gradient] !=
                                          workers_[number];
                                 }),
                  found.end());
    if (task.kind == Kind::Update)
      for (int64_t reduction : reductions[task.stage])
        if (tasks_[reduction]->first < task.end() &&
            task.first < tasks_[reduction]->end())
          found.push_back(reduction);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    before_.insert(before_.end(), found.begin(), found.end());
    ends_.push_back(static_cast<int64_t>(before_.size()));
  }
}

std::vector<int64_t> executionOrder(const Dependencies& dependencies) {
  const int64_t numTasks = dependencies.numTasks();
  std::vector<int64_t> missing(numTasks), starts(numTasks + 1, 0);
  for (int64_t number = 0; number < numTasks; ++number)
    for (int64_t before : dependencies.before(number)) ++starts[before + 1];
  for (int64_t number = 0; number < numTasks; ++number)
    starts[number + 1] += starts[number];
  std::vector<int64_t> behind(starts[numTasks]), next = starts;
  for (int64_t number = 0; number < numTasks; ++number) {
    missing[number] = static_cast<int64_t>(dependencies.before(number).size()) +
                      (dependencies.previous(number) < 0 ? 0 : 1);
    for (int64_t before : dependencies.before(number))
      behind[next[before]++] = number;
  }
  std::vector<int64_t> order;
  for (int64_t number = 0; number < numTasks; ++number)
    if (missing[number] == 0) order.push_back(number);
  auto isDone = [&](int64_t number) {
    if (--missing[number] == 0) order.push_back(number);
  };
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t number = order[i];
    for (int64_t k = starts[number]; k < starts[number + 1]; ++k)
      isDone(behind[k]);
    if (number + 1 < numTasks && dependencies.previous(number + 1) == number)
      isDone(number + 1);
  }
  return order;
}

}  // namespace sbp::schedule
