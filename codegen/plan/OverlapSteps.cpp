#include "codegen/plan/OverlapSteps.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// Whether all tasks of block `block` of `loop` start receives, and so read no
/// buffer.
bool startsReceives(const ListedLoop& loop, const TaskList& list,
                    int64_t block) {
  return llvm::all_of(
      llvm::ArrayRef(list.tasks).slice(loop.first, loop.last - loop.first),
      [&](const ListedTask& task) {
        return task.block != block ||
               (task.end &&
                task.end->kind == plan::TransferTask::Kind::kStartReceive);
      });
}

/// Fails if a task before the loop reads an earlier value of a parameter that
/// is not known yet. Such tasks run `stepOffset` steps ahead, so the value of k
/// steps ago is known only if k is at least `stepOffset`.
LogicalResult checkVersions(const TaskList& list) {
  llvm::DenseSet<int64_t> changing;  // buffers of parameters that are set
  for (const ParameterUpdate& update : list.updates)
    for (int64_t ago = list.buffers[update.parameter].stepsAgo; ago >= 0; --ago)
      changing.insert(update.parameter - ago);
  for (int64_t index = 0; index < list.loops.front().first; ++index)
    for (int64_t input : list.tasks[index].inputs) {
      const int64_t stepsAgo = list.buffers[input].stepsAgo;
      if (!changing.contains(input) || stepsAgo >= list.stepOffset) continue;
      return list.tasks[index].op->emitOpError()
             << "reads a parameter as it was " << stepsAgo
             << " steps ago, but runs " << list.stepOffset
             << " steps ahead, when this value is not known yet";
    }
  return success();
}

}  // namespace

LogicalResult overlapSteps(TaskList& list) {
  if (list.maxSkew == 0) return success();
  const ListedLoop& loop = list.loops.front();
  for (const plan::Loop::BlockRun& run : loop.order)
    if (!startsReceives(loop, list, run.block))
      list.stepOffset = std::max(list.stepOffset, run.stepOffset);
  return checkVersions(list);
}

}  // namespace sbp
