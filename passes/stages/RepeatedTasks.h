// Assigns the ops of a function that a rank repeats, one call per micro-batch,
// to tasks of the pipeline.
//
// Most ops carry their task (StageTasks.h). An op without one lies on no
// stage's group; the rank runs it with the first task that uses its result, or
// else with the last one whose results it takes:
//
//   %one = nn.constant dense<1.0>               1B
//   %g, %w = call @backward(%s, %one) {rank.task = "1B"}

#ifndef PASSES_STAGES_REPEATEDTASKS_H_
#define PASSES_STAGES_REPEATEDTASKS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

class RepeatedTasks {
 public:
  /// Of the function that `repeat` calls; `symbols` are those of its
  /// rank.program.
  RepeatedTasks(nn::RepeatOp repeat, const mlir::SymbolTable& symbols);

  nn::RepeatOp repeat() const { return repeat_; }
  mlir::func::FuncOp function() const { return function_; }

  /// Those whose functions it calls, in the order of the text; none if it is
  /// not of a pipeline.
  ArrayRef<StringRef> names() const { return names_; }

  /// The group on which the tasks run; null if there are none.
  mlir::FlatSymbolRefAttr group() const { return group_; }

  /// All tasks, for the micro-batches for which the function is called.
  PipelineOrder::Share share() const {
    return {names_, nn::RepeatOp(repeat_).numbers()};
  }

  /// The task of `op`, which stands in its body; "" if it has none.
  StringRef of(Operation* op) const {
    return names_.empty() ? StringRef() : names_[numberOf_.lookup(op)];
  }

 private:
  nn::RepeatOp repeat_;
  mlir::func::FuncOp function_;
  mlir::FlatSymbolRefAttr group_;
  SmallVector<StringRef> names_;
  llvm::DenseMap<Operation*, int64_t> numberOf_;  // an index into names_
};

/// `repeat` and those that stand right behind it which are other pipes of the
/// same schedule (DividePipes.h).
SmallVector<nn::RepeatOp> pipesFrom(nn::RepeatOp repeat);

/// Pipes that stand side by side, as a rank runs them.
struct PipesOfRank {
  SmallVector<nn::RepeatOp> alone;     // each by itself, before the others
  SmallVector<nn::RepeatOp> together;  // as one, as the schedule says
  nn::RepeatOp last;                   // of all, in the text

  /// `repeat` and the pipes behind it, in a rank.program with `symbols`.
  /// Together are those of which the rank has tasks; without a schedule, none.
  PipesOfRank(nn::RepeatOp repeat, const mlir::SymbolTable& symbols,
              bool hasSchedule);
};

}  // namespace sbp

#endif  // PASSES_STAGES_REPEATEDTASKS_H_
