#include "codegen/plan/OrderUpdates.h"

#include <algorithm>
#include <utility>

#include "dialects/nn/OptimizerStep.h"
#include "dialects/rank/Rank.h"

namespace sbp {
namespace {

constexpr int64_t kNoTask = -1;

bool isOptimizer(const ListedTask& task) {
  return task.op && nn::gradientOf(task.op);
}

int64_t gradientBuffer(const ListedTask& task) {
  return task.inputs[nn::gradientOf(task.op)->getOperandNumber()];
}

/// Returns the task that writes each buffer; here each is still written once.
std::vector<int64_t> writersOf(const TaskList& list) {
  std::vector<int64_t> writers(list.buffers.size(), kNoTask);
  for (auto [index, task] : llvm::enumerate(list.tasks))
    for (int64_t output : task.outputs) writers[output] = index;
  return writers;
}

/// Returns the gradient that `optimizer` takes, as it is before all-gathers:
/// these move it, and change no element.
ListedGradient gradientOf(const ListedTask& optimizer, const TaskList& list,
                          ArrayRef<int64_t> writers) {
  ListedGradient gradient;
  gradient.optimizer = optimizer.op;
  gradient.buffer = gradientBuffer(optimizer);
  for (int64_t writer = writers[gradient.buffer];
       writer != kNoTask &&
       llvm::isa_and_present<rank::AllGatherOp>(list.tasks[writer].op);
       writer = writers[gradient.buffer]) {
    gradient.gathers.push_back(list.tasks[writer].op);
    gradient.buffer = list.tasks[writer].inputs[0];
  }
  return gradient;
}

/// Marks all tasks of `loop` if one of them is marked.
void keepTogether(const ListedLoop& loop, std::vector<bool>& isMarked) {
  auto first = isMarked.begin() + loop.first;
  auto last = isMarked.begin() + loop.last;
  if (std::find(first, last, true) != last) std::fill(first, last, true);
}

/// Returns for each task whether it is an optimiser op or depends on one.
std::vector<bool> findUpdated(const TaskList& list, ArrayRef<int64_t> writers) {
  std::vector<bool> isUpdated(list.tasks.size());
  auto loop = list.loops.begin();
  for (auto [index, task] : llvm::enumerate(list.tasks)) {
    isUpdated[index] =
        isOptimizer(task) || llvm::any_of(task.inputs, [&](int64_t input) {
          return writers[input] != kNoTask && isUpdated[writers[input]];
        });
    if (loop != list.loops.end() &&
        static_cast<int64_t>(index) == loop->last - 1)
      keepTogether(*loop++, isUpdated);
  }
  return isUpdated;
}

}  // namespace

void orderUpdates(TaskList& list) {
  if (list.updates.empty()) {
    list.firstUpdate = list.tasks.size();
    return;
  }
  const std::vector<int64_t> writers = writersOf(list);
  const std::vector<bool> isUpdated = findUpdated(list, writers);

  // Marks the tasks that are needed before the bar, from the last task to the
  // first.
  std::vector<bool> isInFront(list.tasks.size());
  auto need = [&](int64_t buffer) {
    int64_t writer = writers[buffer];
    if (writer != kNoTask && !isUpdated[writer]) isInFront[writer] = true;
  };
  for (int64_t output : list.outputs) need(output);
  // Other ranks may need results of this program, which cannot be seen here,
  // and ranks of a group must run their collectives in one order.
  if (list.isOfSeveralGroups)
    for (size_t index = 0; index < list.tasks.size(); ++index)
      isInFront[index] = !isUpdated[index];
  for (const ListedTask& task : list.tasks)
    if (isOptimizer(task)) {
      ListedGradient gradient = gradientOf(task, list, writers);
      int64_t writer = writers[gradient.buffer];
      if (writer != kNoTask && isUpdated[writer]) continue;
      need(gradient.buffer);
      list.gradients.push_back(std::move(gradient));
    }
  auto loop = list.loops.rbegin();
  for (int64_t index = list.tasks.size() - 1; index >= 0; --index) {
    if (loop != list.loops.rend() && index == loop->last - 1)
      keepTogether(*loop++, isInFront);
    if (isInFront[index])
      for (int64_t input : list.tasks[index].inputs) need(input);
  }

  std::vector<ListedTask> ordered;
  ordered.reserve(list.tasks.size());
  std::vector<int64_t> movedTo(list.tasks.size());
  auto append = [&](bool those) {
    for (auto [index, task] : llvm::enumerate(list.tasks)) {
      if (isInFront[index] != those) continue;
      movedTo[index] = ordered.size();
      ordered.push_back(std::move(task));
    }
  };
  append(true);
  list.firstUpdate = ordered.size();
  append(false);
  list.tasks = std::move(ordered);
  for (ListedLoop& moved : list.loops) {
    int64_t numTasks = moved.last - moved.first;
    moved.first = numTasks > 0 ? movedTo[moved.first] : list.firstUpdate;
    moved.last = moved.first + numTasks;
  }
  llvm::sort(list.loops, [](const ListedLoop& a, const ListedLoop& b) {
    return a.first < b.first;
  });
}

}  // namespace sbp
