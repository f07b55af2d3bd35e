// Assigns the ops between calls of stages to tasks of the pipeline.
//
// The function that is repeated for each micro-batch calls functions of stages.
// Each such call is one task of the pipeline: "1F" is the forward of stage 1.
// An op between these calls belongs to one of the tasks, so that tasks can be
// run in another order than that of the text:
//
//   %x = nn.part %k of %xs                   0F: its result is used there
//   %h, %s = call @stage0.forward(%x, %w)    0F
//   %h1 = sbp.box %h -> @back                1F, which receives it; 0F sends it
//   %y = call @stage1.forward(%h1, ...)      1F
//   %sum = nn.add %carried, %y               1F: its operand is made there
//
// An op on a stage's group belongs to the latest task that makes one of its
// operands. If no task makes an operand, or if the op is a box between groups,
// it belongs to the earliest task that uses its result. Tasks are ordered by
// their first calls in the text. All ranks of a group have the same ops in a
// task. An op on the whole machine belongs to no task: each rank runs it with
// an op that uses its result (RepeatedTasks.h).

#ifndef PASSES_STAGES_STAGETASKS_H_
#define PASSES_STAGES_STAGETASKS_H_

#include <optional>

#include "dialects/sbp/StageTask.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// The tasks of all ops in the functions that nn.repeat ops of a program call.
class StageTasks {
 public:
  /// Constructs an object in which no op has a task.
  StageTasks() = default;
  /// Finds the tasks in all functions that nn.repeat ops of `module`, a boxed
  /// program, call.
  explicit StageTasks(ModuleOp module);

  /// Returns the task of `op`, such as 1F; nullopt if it belongs to none.
  std::optional<StageTask> of(Operation* op) const {
    auto known = tasks_.find(op);
    if (known == tasks_.end()) return std::nullopt;
    return known->second;
  }

 private:
  llvm::DenseMap<Operation*, StageTask> tasks_;
};

/// Returns the task with which `function` is marked (kStageAttrName and
/// kKindAttrName); nullopt if it has no such marks.
std::optional<StageTask> taskOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGETASKS_H_
