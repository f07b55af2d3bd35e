// The order in which a rank runs its tasks of the pipeline.
//
// A schedule has a list of tasks per group (passes/schedule/Table.h): 1B0 is
// the backward of stage 1 for micro-batch 0. All lists are merged into one
// sequence, ordered by the start times of a simulation. In the simulation each
// kind of task takes its default time (passes/schedule/Simulate.h). A rank runs
// its own tasks in the order of this sequence:
//
//   sequence    0F0 0F1 1F0 1B0 0B0 1F1 1B1 0B1
//   rank 0      0F0 0F1         0B0         0B1
//
// Each task comes after all tasks that it waits for. So ranks cannot deadlock
// as long as a send does not wait for its receiver, since every rank waits only
// for tasks earlier in the sequence. A rank finishes a send later, after the
// position of the receiving task (codegen/plan/TransferTimes.h).
//
// With a flush, all tasks of a training step end before the next step begins.
// Without a flush, training steps overlap. The sequence then has several
// training steps, enough for the pipeline to be full in the middle one.
// Positions are looked up in the middle step and the steps around it. A rank
// runs one period (passes/schedule/Period.h) after the other. A period has the
// rest of one step and the start of later steps. The runtime calls a period an
// iteration (runtime/plan/Plan.h). Entries that do not train always use the
// order of a single step.

#ifndef PASSES_STAGES_PIPELINEORDER_H_
#define PASSES_STAGES_PIPELINEORDER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/StageTask.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/schedule/Period.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// The order of all tasks of a schedule. If the table divides micro-batches
/// into parts (Table::partsPerMicroBatch), `microBatch` and numMicroBatches()
/// count parts. A step offset is the number of a training step minus that of
/// the middle step of the sequence.
class PipelineOrder {
 public:
  /// One run of a task: for one micro-batch of one training step.
  struct TaskRun {
    StageTask task;
    int64_t microBatch = 0;
    /// The run's training step, relative to the step whose last update ends the
    /// period.
    int64_t stepOffset = 0;
    int64_t position = 0;  // index in the sequence
  };

  /// The tasks that a rank runs in one pipe (passes/schedule/Pipes.h), and the
  /// micro-batches of the pipe.
  struct RankTasks {
    ArrayRef<StageTask> tasks;
    SmallVector<int64_t> microBatches;
  };

  /// A run of a task of a certain rank.
  struct RankTaskRun : TaskRun {
    size_t pipe = 0;   // index of its pipe in taskRunsOf(pipes)
    size_t index = 0;  // index of the task in RankTasks::tasks
  };

  /// Makes the order of `table`, which must have passed the checks of
  /// scheduleOf() (Schedule.h). The order is not message-driven.
  explicit PipelineOrder(const schedule::Table& table);

  /// Returns the order of the schedule of `module`; nullopt if the module has
  /// none. Fails with a diagnostic at a schedule that cannot be run.
  static FailureOr<std::optional<PipelineOrder>> fromModule(ModuleOp module);

  int64_t numMicroBatches() const { return numMicroBatches_; }

  /// Whether execution is message-driven: a rank runs any task whose operands
  /// have arrived, and keeps the order only among runs of the same task
  /// (sbp.schedule, by_messages).
  bool isMessageDriven() const { return isMessageDriven_; }

  /// Returns the order for training steps that do not overlap.
  PipelineOrder forOneStep() const;

  /// Returns the order for `entry`: this one if the entry trains, else that of
  /// a single step.
  PipelineOrder forEntry(mlir::func::FuncOp entry) const;

  /// Returns the runs of the tasks of `pipes` in one period, in sequence order.
  /// A micro-batch must be in at most one pipe. If a pipe has a backward in
  /// halves, of inputs (1I) and of weights (1W), both run where the schedule
  /// has 1B, 1I first.
  std::vector<RankTaskRun> taskRunsOf(ArrayRef<RankTasks> pipes) const;

  /// Fails with a diagnostic at `repeat` unless the schedule has each of
  /// `tasks` for exactly as many micro-batches as the attribute `times` of
  /// `repeat` says. `times` counts the micro-batches of all pipes.
  LogicalResult checkCounts(nn::RepeatOp repeat,
                            ArrayRef<StageTask> tasks) const;

  /// Whether training steps overlap, so that ranks run periods instead of
  /// steps.
  bool isPeriodic() const { return isPeriodic_; }

  /// Returns the position in the sequence of `task` for `microBatch` of the
  /// training step with the offset `stepOffset`; nullopt if the sequence does
  /// not have it.
  std::optional<int64_t> positionOf(StageTask task, int64_t microBatch,
                                    int64_t stepOffset) const;

  /// Returns the period in which a rank runs `task` for `microBatch` of the
  /// training step with the offset `stepOffset`. Period 0 is the middle one.
  int64_t periodOf(StageTask task, int64_t microBatch,
                   int64_t stepOffset) const;

  /// Returns the number of training steps by which ranks may be apart
  /// (plan::Entry::maxSkew); 0 if steps do not overlap. After the period that
  /// ends step t, a rank waits until all ranks have ended step t - maxSkew().
  ///
  /// Let m be the smallest number such that, in the sequence, all ends of step
  /// t - m come before the first end of step t. The result is m + 1. With m the
  /// wait could deadlock, since a rank still runs updates after its last task
  /// in the sequence.
  int64_t maxSkew() const { return maxSkew_; }

 private:
  void addSequence(int64_t numSteps);
  void addPeriods();
  void findMaxSkew();
  /// Returns the position at which period `period` of a worker ends. Period 0
  /// is the middle one.
  int64_t endOf(size_t worker, int64_t period) const;
  void add(const schedule::Task& task, int64_t stepOffset);
  /// Returns the number of micro-batches for which the schedule has `task`.
  int64_t countOf(StageTask task) const;

  schedule::Table table_;
  std::vector<std::vector<schedule::PeriodTask>> periods_;  // by worker
  int64_t numMicroBatches_ = 0;
  bool isMessageDriven_ = false;
  bool isPeriodic_ = false;
  int64_t middle_ = 0;  // middle step of the sequence
  int64_t maxSkew_ = 0;
  std::vector<TaskRun> runs_;  // of all workers' middle periods, by position
  /// Positions of each task, at index step * numMicroBatches_ + microBatch.
  std::map<StageTask, std::vector<int64_t>> positions_;
  /// Step offset of each task in the middle period, by micro-batch.
  std::map<StageTask, std::vector<int64_t>> stepOffsets_;
};

}  // namespace sbp

#endif  // PASSES_STAGES_PIPELINEORDER_H_
