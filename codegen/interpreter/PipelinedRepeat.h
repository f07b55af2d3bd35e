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
//
// Pipes of one schedule (passes/stages/DividePipes.h) have values apart, and
// run together.

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

/// The values of a function that is being run.
using Environment = llvm::DenseMap<Value, Tensor>;

/// What is repeated of one pipe.
class PipelinedRepeat {
 public:
  /// Evaluates `op` for micro-batch `time` on what `values` has, and adds what
  /// it gives. Fails after one diagnostic.
  using Evaluate = llvm::function_ref<LogicalResult(Operation& op, int64_t time,
                                                    Environment& values)>;

  /// Of the function of `tasks`, called with `arguments`; the last of them are
  /// what is carried at first. What is referred to outlives this.
  PipelinedRepeat(const RepeatedTasks& tasks, SmallVector<Tensor> arguments,
                  Evaluate evaluate);

  /// Runs the ops of `task` for micro-batch `time`, and those that depend on
  /// what is carried, whose turn it is. Fails after one diagnostic: a task
  /// takes what has not been made yet, an op cannot be evaluated.
  LogicalResult run(StringRef task, int64_t time);

  /// What is carried in the end.
  Results results() const;

 private:
  /// Runs the ops of `task`, either those that depend on what is carried or the
  /// others.
  LogicalResult runOps(StringRef task, int64_t time, bool isCarried);
  /// What `value` is for micro-batch `time`; nothing if it has not been made.
  std::optional<Tensor> find(Value value, int64_t time) const;

  /// The sums of a task, in the order of micro-batches.
  struct Turns {
    std::set<int64_t> waiting;  // micro-batches
    size_t next = 0;            // of times_
  };

  const RepeatedTasks& tasks_;
  SmallVector<Tensor> arguments_;
  Evaluate evaluate_;
  mlir::Block& body_;
  int64_t numCarried_;
  SmallVector<int64_t> times_;  // the micro-batches
  llvm::DenseSet<Operation*> dependsOnCarried_;
  std::map<int64_t, Environment> values_;  // by micro-batch
  std::map<StringRef, Turns> turns_;       // by task
};

/// Runs `pipes` of one schedule together, in its order. Fails after one
/// diagnostic: the schedule does not have as many micro-batches, a task fails.
LogicalResult runPipes(llvm::MutableArrayRef<PipelinedRepeat> pipes,
                       ArrayRef<RepeatedTasks> tasks,
                       const PipelineOrder& order);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_PIPELINEDREPEAT_H_
