#include "codegen/plan/JoinUpdates.h"

#include <utility>
#include <vector>

#include "dialects/nn/OptimizerStep.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sbp {
namespace {

/// Lets `task` run the ops of `other` as well.
void join(ListedTask& task, const ListedTask& other) {
  const auto numInputs = static_cast<int64_t>(task.inputs.size());
  const auto numOutputs = static_cast<int64_t>(task.outputs.size());
  for (auto [input, output] : other.needs.inPlace)
    task.needs.inPlace.push_back({numInputs + input, numOutputs + output});
  llvm::append_range(task.inputs, other.inputs);
  llvm::append_range(task.outputs, other.outputs);
  task.others.push_back(other.op);
}

/// Joins the updates of one list.
class Joiner {
 public:
  explicit Joiner(TaskList& list) : list_(list) {}

  void run() {
    auto firstUpdate = list_.tasks.begin() + list_.firstUpdate;
    for (auto task = firstUpdate; task != list_.tasks.end(); ++task)
      add(std::move(*task));
    list_.tasks.erase(firstUpdate, list_.tasks.end());
    for (std::vector<ListedTask>* part : {&before_, &updates_, &after_})
      for (ListedTask& task : *part) list_.tasks.push_back(std::move(task));
  }

 private:
  void add(ListedTask task) {
    const bool isAfter = llvm::any_of(
        task.inputs, [&](int64_t input) { return updated_.contains(input); });
    const bool isUpdate = task.op && nn::gradientOf(task.op);
    if (isAfter || isUpdate)
      updated_.insert(task.outputs.begin(), task.outputs.end());
    if (isAfter)
      after_.push_back(std::move(task));
    else if (isUpdate)
      addUpdate(std::move(task));
    else
      before_.push_back(std::move(task));
  }

  void addUpdate(ListedTask task) {
    // A task names one call as its origin, so only ops of one call are joined.
    auto [open, isNew] =
        open_.try_emplace({kernelKey(task.op), task.call}, updates_.size());
    if (!isNew) {
      ListedTask& first = updates_[open->second];
      if (first.numOps() < first.needs.mostAtOnce) return join(first, task);
      open->second = updates_.size();
    }
    updates_.push_back(std::move(task));
  }

  TaskList& list_;
  llvm::DenseSet<int64_t> updated_;  // buffers that depend on an update
  std::vector<ListedTask> before_, updates_, after_;
  /// Index in updates_ of the last task of a kernelKey and call.
  llvm::DenseMap<std::pair<Attribute, int64_t>, size_t> open_;
};

}  // namespace

void joinUpdates(TaskList& list) {
  const bool canJoin = llvm::any_of(list.tasks, [](const ListedTask& task) {
    return task.op && nn::gradientOf(task.op) && task.needs.mostAtOnce > 1;
  });
  const bool hasLoops = llvm::any_of(list.loops, [&](const ListedLoop& loop) {
    return loop.last > list.firstUpdate;
  });
  if (canJoin && !hasLoops) Joiner(list).run();
}

}  // namespace sbp
