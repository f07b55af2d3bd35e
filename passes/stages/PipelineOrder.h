// The order in which a rank runs its tasks of the pipeline.
//
// A schedule has a list of tasks per group (passes/schedule/Table.h). All lists
// are merged into one sequence, in the order in which tasks would start; a rank
// runs its own tasks in this order:
//
//   sequence    0F0 0F1 1F0 1B0 0B0 1F1 1B1 0B1
//   rank 0      0F0 0F1         0B0         0B1
//
// Each task comes after all tasks that it waits for. Ranks that wait only for
// tasks before their own in the sequence do not wait for one another in a
// cycle, even if a send blocks until it is received.
//
// Without a flush, the sequence covers several training steps; its middle is
// far enough from the first one for the pipeline to be full. In each step a
// rank runs one period of the sequence (passes/schedule/Period.h), which has
// tasks of later steps too. An entry that runs only forwards, as the loss does,
// has the order of one step in any case.

#ifndef PASSES_STAGES_PIPELINEORDER_H_
#define PASSES_STAGES_PIPELINEORDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/schedule/Period.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// The order of all tasks of a schedule. Micro-batches are counted in parts, if
/// the table divides them into parts. Training steps are counted from the
/// middle one: the step `ahead` of it comes `ahead` training steps later, or
/// earlier if `ahead` is negative.
class PipelineOrder {
 public:
  /// One task for one micro-batch, such as "1F" for 0.
  struct Step {
    std::string task;
    int64_t time = 0;      // micro-batch
    int64_t ahead = 0;     // its training step, counted from the period's
    int64_t position = 0;  // in the sequence
  };

  /// The tasks that a rank runs in a pipe, and the pipe's micro-batches.
  struct Share {
    ArrayRef<StringRef> tasks;
    SmallVector<int64_t> times;  // micro-batches
  };

  /// A step, and the share that it belongs to.
  struct OwnStep : Step {
    size_t share = 0;  // index of the share
    size_t index = 0;  // index of the task in Share::tasks
  };

  /// Makes the order of `table`, which has passed the checks of scheduleOf.
  explicit PipelineOrder(const schedule::Table& table);

  /// Returns the order of the schedule of `module`; nothing if it has none.
  /// Fails with a diagnostic at a schedule that cannot be run.
  static FailureOr<std::optional<PipelineOrder>> of(ModuleOp module);

  int64_t numMicroBatches() const { return numMicroBatches_; }

  /// Whether ranks run whichever task has its messages, and keep to the order
  /// only among tasks of the same kind and stage (sbp.schedule, by_messages).
  bool isByMessages() const { return isByMessages_; }

  /// Returns the order of one training step that ends before the next one
  /// begins.
  PipelineOrder ofOneStep() const;

  /// Returns the order for `entry`: the order of one step, unless the entry is
  /// trained.
  PipelineOrder ofEntry(mlir::func::FuncOp entry) const;

  /// Returns the steps of `shares`, in their order. A micro-batch is in at most
  /// one share. If a stage's backward is in halves, its "1I" and "1W" come one
  /// after the other in place of the schedule's "1B".
  std::vector<OwnStep> stepsOf(ArrayRef<Share> shares) const;

  /// Fails with a diagnostic at `repeat` unless the schedule has each of
  /// `tasks` for as many micro-batches as `repeat` has.
  LogicalResult checkTimes(nn::RepeatOp repeat,
                           ArrayRef<StringRef> tasks) const;

  /// Whether training steps overlap, so that a rank runs one period after the
  /// other.
  bool isPeriodic() const { return isPeriodic_; }

  /// Returns the position in the sequence of `task` for micro-batch `time`, in
  /// the step that is `ahead` of the middle one; nothing if the sequence does
  /// not have it.
  std::optional<int64_t> positionOf(StringRef task, int64_t time,
                                    int64_t ahead) const;

  /// Returns the number of periods after the middle one in which a rank runs
  /// `task` of the step that is `ahead` of the middle one.
  int64_t periodOf(StringRef task, int64_t time, int64_t ahead) const;

  /// Returns the smallest number L such that a rank that has ended its period
  /// of step t can wait until step t - L has ended on all ranks, none of which
  /// has to wait for this rank. 0 if steps do not overlap.
  int64_t lag() const { return lag_; }

 private:
  void addSequence(int64_t numSteps);
  void addPeriods();
  void findLag();
  /// Returns the position at which a worker's period ends, for the period that
  /// is `ahead` of the middle one.
  int64_t endOf(size_t worker, int64_t ahead) const;
  void add(const schedule::Task& task, int64_t ahead);
  /// Returns the number of micro-batches for which the schedule has `task`.
  int64_t countOf(StringRef task) const;

  schedule::Table table_;
  std::vector<std::vector<schedule::PeriodTask>> periods_;  // by worker
  int64_t numMicroBatches_ = 0;
  bool isByMessages_ = false;
  bool isPeriodic_ = false;
  int64_t middle_ = 0;  // middle step of the sequence
  int64_t lag_ = 0;
  std::vector<Step> steps_;  // of all workers' middle periods, by position
  llvm::StringMap<std::vector<int64_t>> positions_;  // by task, then step, time
  llvm::StringMap<std::vector<int64_t>> aheadOf_;    // by task, time
};

}  // namespace sbp

#endif  // PASSES_STAGES_PIPELINEORDER_H_
