#include "passes/search/reading/Holds.h"

#include <map>
#include <optional>

#include "dialects/sbp/StageTask.h"
#include "passes/schedule/Slots.h"
#include "passes/stages/InFlight.h"
#include "passes/stages/StageTasks.h"

namespace sbp::search {
namespace {

/// A stage, as the calls of one function run it.
struct CalledStage {
  std::optional<schedule::StageSlots> slots;
  std::map<TaskKind, int64_t> calls;  // indices of ops

  /// Adds the hold from the task `from` to the task `until`, if both are
  /// called.
  void add(TaskKind from, TaskKind until, int64_t copies,
           llvm::SmallVectorImpl<Frame::Hold>& holds) const {
    auto first = calls.find(from), last = calls.find(until);
    if (first == calls.end() || last == calls.end()) return;
    // The results of a call are in the memory of the callee while it runs.
    holds.push_back({first->second + 1, last->second, copies});
  }
};

}  // namespace

SmallVector<Frame::Hold, 2> holdsOf(mlir::func::FuncOp function,
                                    const Correspondence& correspondence) {
  std::map<int64_t, CalledStage> stages;
  int64_t number = 0;
  for (Operation& op : function.getBody().front()) {
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      mlir::func::FuncOp callee = correspondence.calleeOf(call);
      if (std::optional<StageTask> task = taskOf(callee)) {
        CalledStage& stage = stages[task->stage];
        stage.calls.try_emplace(task->kind, number);
        if (task->kind == TaskKind::Forward) stage.slots = inFlightOf(callee);
      }
    }
    ++number;
  }
  SmallVector<Frame::Hold, 2> holds;
  for (const auto& [index, stage] : stages) {
    if (!stage.slots) continue;
    const schedule::StageSlots& slots = *stage.slots;
    stage.add(TaskKind::Forward, TaskKind::Backward, slots.inFlight, holds);
    stage.add(TaskKind::Forward, TaskKind::Input, slots.awaitingBackward,
              holds);
    stage.add(TaskKind::Forward, TaskKind::Weight, slots.inFlight, holds);
    stage.add(TaskKind::Input, TaskKind::Weight, slots.awaitingWeightGradient,
              holds);
    for (TaskKind backward : {TaskKind::Backward, TaskKind::Weight})
      stage.add(TaskKind::Recompute, backward, slots.recomputed, holds);
  }
  return holds;
}

}  // namespace sbp::search
