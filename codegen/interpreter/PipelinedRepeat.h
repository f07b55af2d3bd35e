// Runs the function that a rank repeats in the order of a pipeline's schedule:
// task by task, each for one micro-batch.
//
//   schedule     0F0 0F1 0B1 0B0
//   runs         the ops of 0F for micro-batches 0 and 1, then those of 0B for
//                1 and 0; after 0B0, the sums of 0B for 0 and 1
//
// Each micro-batch has its own values: a task reads only values that tasks have
// made for the same micro-batch. Only carried values, such as sums of
// gradients, pass from one micro-batch to the next. They do so in the order of
// micro-batches, whatever the order of the tasks: ops that depend on a carried
// value wait until the task has run for all earlier micro-batches. So sums have
// the same bits with every schedule.
//
// The pipes of one schedule (passes/stages/DividePipes.h) have separate values,
// and run together.

#ifndef CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_
#define CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>

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

/// Values of a function that is running.
using Environment = llvm::DenseMap<Value, Tensor>;

/// The repeated function of one pipe, with its values for each micro-batch.
class PipelinedRepeat {
 public:
  /// Evaluates `op` for micro-batch `microBatch` on `values`, and adds its
  /// results to them. Fails after one diagnostic.
  using Evaluate = llvm::function_ref<LogicalResult(
      Operation& op, int64_t microBatch, Environment& values)>;

  /// Prepares a run of the function of `tasks` on `arguments`, one per argument
  /// of the function. The last arguments are the initial values of the carried
  /// values. `tasks` and the callee of `evaluate` must outlive this object.
  PipelinedRepeat(const RepeatedTasks& tasks, SmallVector<Tensor> arguments,
                  Evaluate evaluate);

  /// Runs the ops of `task` for micro-batch `microBatch` that do not depend on
  /// carried values. Then runs the ops that do, for each micro-batch whose turn
  /// it is. These ops run in the order of micro-batches, so they wait until
  /// `task` has run for all earlier micro-batches. Fails after one diagnostic
  /// if an op cannot be evaluated, or reads a value that has not been made yet.
  LogicalResult run(StageTask task, int64_t microBatch);

  /// Returns the carried values after the last micro-batch. All tasks must have
  /// run for all micro-batches.
  Results results() const;

 private:
  /// Runs the ops of `task`: those that depend on carried values if
  /// `isCarried`, else the others.
  LogicalResult runOps(StageTask task, int64_t microBatch, bool isCarried);
  /// Returns `value` for micro-batch `microBatch`; nullopt if it has not been
  /// made.
  std::optional<Tensor> find(Value value, int64_t microBatch) const;

  /// The progress of the ops of a task that depend on carried values. They run
  /// in the order of micro-batches.
  struct CarriedProgress {
    std::set<int64_t> waiting;  // micro-batches whose other ops have run
    size_t next = 0;  // next micro-batch of these ops: index into microBatches_
  };

  const RepeatedTasks& tasks_;
  SmallVector<Tensor> arguments_;
  Evaluate evaluate_;
  mlir::Block& body_;
  int64_t numCarried_;
  SmallVector<int64_t> microBatches_;      // in their order
  llvm::DenseSet<Operation*> carriedOps_;  // depend on carried values
  std::map<int64_t, Environment> values_;  // by micro-batch
  std::map<StageTask, CarriedProgress> carriedProgress_;  // by task
};

/// Runs all tasks of `pipes`, the pipes of one schedule, in the order of the
/// schedule. `tasks[i]` are the tasks of `pipes[i]`. Fails after one diagnostic
/// if the schedule has a task for another number of micro-batches than the
/// task's nn.repeat, or if a task fails.
LogicalResult runPipes(llvm::MutableArrayRef<PipelinedRepeat> pipes,
                       ArrayRef<RepeatedTasks> tasks,
                       const PipelineOrder& order);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_
