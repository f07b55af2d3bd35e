// What a rank repeats, run as the schedule of a pipeline says: task by task,
// each for one micro-batch.
//
//   schedule     0F0 0F1 0B1 0B0
//   runs         the ops of 0F, then those of 0B, on values of micro-batch 0
//                or of 1; the sums of 0B for both behind 0B0
//
// Each micro-batch has values of its own, and a task is given only what tasks
// have made that ran for the same one. What is carried is handed on from one
// micro-batch to the next in their order, whatever the order of the tasks: the
// ops that depend on it wait for their turn. So sums are those of any other
// schedule, bit by bit.

#ifndef CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_
#define CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"
#include "passes/stages/RepeatedTasks.h"

namespace sbp::interpreter {

/// The values of a function that is being run.
using Environment = llvm::DenseMap<Value, Tensor>;

class PipelinedRepeat {
 public:
  /// Evaluates `op` for micro-batch `time` on what `values` has, and adds what
  /// it gives. Fails after one diagnostic.
  using Evaluate = llvm::function_ref<LogicalResult(Operation& op, int64_t time,
                                                    Environment& values)>;

  /// Of `function`, which `repeat` calls with `arguments`; the last of them are
  /// what is carried at first. All outlive this.
  PipelinedRepeat(nn::RepeatOp repeat, mlir::func::FuncOp function,
                  const RepeatedTasks& tasks, const PipelineOrder& order,
                  ArrayRef<Tensor> arguments, Evaluate evaluate);

  /// What is carried in the end. Fails after one diagnostic: the schedule does
  /// not have as many micro-batches, a task takes what has not been made yet,
  /// an op cannot be evaluated.
  FailureOr<Results> run();

 private:
  /// Runs the ops of `task`, either those that depend on what is carried or the
  /// others.
  LogicalResult runTask(StringRef task, int64_t time, bool isCarried);
  /// What `value` is for micro-batch `time`; nothing if it has not been made.
  std::optional<Tensor> find(Value value, int64_t time) const;

  nn::RepeatOp repeat_;
  const RepeatedTasks& tasks_;
  const PipelineOrder& order_;
  ArrayRef<Tensor> arguments_;
  Evaluate evaluate_;
  mlir::Block& body_;
  llvm::DenseSet<Operation*> dependsOnCarried_;
  std::vector<Environment> values_;  // by micro-batch
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_
