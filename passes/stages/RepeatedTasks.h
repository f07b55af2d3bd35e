// Assigns the ops of a function that a rank repeats, once per micro-batch, to
// tasks of the pipeline.
//
// Most ops are marked with their task (StageTasks.h). An op without a mark lies
// on no stage's group. A rank runs it with the first task that uses its result.
// If no task uses it, the rank runs it with the last task whose results it
// takes, or else with the first of all tasks:
//
//   %one = nn.constant dense<1.0>               1B
//   %g, %w = call @backward(%s, %one) {rank.task = #sbp.task<1B>}

#ifndef PASSES_STAGES_REPEATEDTASKS_H_
#define PASSES_STAGES_REPEATEDTASKS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

/// The tasks of one nn.repeat of a rank's program.
class RepeatedTasks {
 public:
  /// Finds the tasks of the function that `repeat` calls. `symbols` must be the
  /// symbol table of the rank.program of `repeat`.
  RepeatedTasks(nn::RepeatOp repeat, const mlir::SymbolTable& symbols);

  nn::RepeatOp repeat() const { return repeat_; }
  mlir::func::FuncOp function() const { return function_; }

  /// Returns the tasks whose functions the repeated function calls, in the
  /// order of their first calls. Empty if it calls none.
  ArrayRef<StageTask> tasks() const { return tasks_; }

  /// Returns the group on which the tasks run; null if there are none.
  mlir::FlatSymbolRefAttr group() const { return group_; }

  /// Returns all tasks, with the micro-batches for which `repeat` calls the
  /// function.
  PipelineOrder::RankTasks rankTasks() const {
    return {tasks_, nn::RepeatOp(repeat_).numbers()};
  }

  /// Returns the task of `op`, an op of the repeated function; nullopt if there
  /// are no tasks.
  std::optional<StageTask> of(Operation* op) const {
    if (tasks_.empty()) return std::nullopt;
    return tasks_[numberOf_.lookup(op)];
  }

 private:
  nn::RepeatOp repeat_;
  mlir::func::FuncOp function_;
  mlir::FlatSymbolRefAttr group_;
  SmallVector<StageTask> tasks_;
  llvm::DenseMap<Operation*, int64_t> numberOf_;  // by op, index into tasks_
};

/// Returns `repeat`, and those nn.repeat ops directly after it that are other
/// pipes of the same schedule (DividePipes.h).
SmallVector<nn::RepeatOp> pipesFrom(nn::RepeatOp repeat);

/// A sequence of pipes, divided by the way in which a rank runs them.
struct PipesOfRank {
  SmallVector<nn::RepeatOp> alone;     // run one by one, before the others
  SmallVector<nn::RepeatOp> together;  // run as one, in the schedule's order
  nn::RepeatOp last;                   // last of all these pipes in the text

  /// Divides `repeat` and the pipes after it. `symbols` must be the symbol
  /// table of their rank.program. Pipes in which the rank has tasks run
  /// together. Without a schedule, all pipes run alone.
  PipesOfRank(nn::RepeatOp repeat, const mlir::SymbolTable& symbols,
              bool hasSchedule);
};

}  // namespace sbp

#endif  // PASSES_STAGES_REPEATEDTASKS_H_
