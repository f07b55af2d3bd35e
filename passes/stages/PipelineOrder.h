// In which order a rank runs its tasks of the pipeline.
//
// A schedule has a list of tasks per group (passes/schedule/Table.h). All of
// them are put into one sequence, as they would start one after the other; a
// rank runs those that are its own in this order:
//
//   sequence    0F0 0F1 1F0 1B0 0B0 1F1 1B1 0B1
//   rank 0      0F0 0F1         0B0         0B1
//
// Each task stands behind all that it waits for. So ranks that wait only for
// what stands before them in the sequence do not wait for one another in a
// cycle, also where a send waits until it is received.
//
// Without a flush the sequence is one of several steps, far enough from the
// first for the pipeline to be full. A rank runs a period of it per step
// (passes/schedule/Period.h), with tasks of steps ahead. What runs forward
// only, the loss, is of one step in any case.

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

class PipelineOrder {
 public:
  /// One task for one micro-batch: "1F", 0.
  struct Step {
    std::string task;
    int64_t time = 0;
    int64_t ahead = 0;     // of a training step so far behind
    int64_t position = 0;  // in the sequence
  };

  /// What a rank runs of a pipe: these tasks, for these micro-batches.
  struct Share {
    ArrayRef<StringRef> tasks;
    SmallVector<int64_t> times;
  };

  /// A step as one of a share.
  struct OwnStep : Step {
    size_t share = 0;  // an index of those that were asked for
    size_t index = 0;  // of the task in it
  };

  /// `table` can be run (scheduleOf).
  explicit PipelineOrder(const schedule::Table& table);

  /// That of the schedule of `module`; nothing if it has none. Fails with a
  /// diagnostic at a schedule that cannot be run.
  static FailureOr<std::optional<PipelineOrder>> of(ModuleOp module);

  int64_t numMicroBatches() const { return numMicroBatches_; }

  /// Whether ranks run what can run, and keep to the order of each kind of task
  /// alone (sbp.schedule, by_messages).
  bool isByMessages() const { return isByMessages_; }

  /// The order of one step that ends before another begins.
  PipelineOrder ofOneStep() const;

  /// The order for `entry`: where it does not train, as the loss by itself,
  /// that of one step.
  PipelineOrder ofEntry(mlir::func::FuncOp entry) const;

  /// The steps of `shares`, in their order; each micro-batch is of one of them.
  /// Where a stage goes back in halves, "1I" and "1W" run one behind the other
  /// where the schedule has "1B".
  std::vector<OwnStep> stepsOf(ArrayRef<Share> shares) const;

  /// Fails with a diagnostic at `repeat` unless the schedule has each of
  /// `tasks` as often as that repeats it.
  LogicalResult checkTimes(nn::RepeatOp repeat,
                           ArrayRef<StringRef> tasks) const;

  /// Whether a period begins again where it has ended.
  bool isPeriodic() const { return isPeriodic_; }

  /// Where a task stands of the step that is `ahead` of the one whose period
  /// ends in the middle of the sequence; nothing if the sequence does not have
  /// it.
  std::optional<int64_t> positionOf(StringRef task, int64_t time,
                                    int64_t ahead) const;

  /// How many periods behind the middle one a rank runs `task` of the step that
  /// is `ahead` of that.
  int64_t periodOf(StringRef task, int64_t time, int64_t ahead) const;

  /// So many steps behind its own a rank can wait for the end of that on all
  /// ranks, and none has to wait for this one: 0 with a flush.
  int64_t lag() const { return lag_; }

 private:
  void addSequence(int64_t numSteps);
  void addPeriods();
  void findLag();
  /// Where a worker's tasks of a period end, so many behind the middle one.
  int64_t endOf(size_t worker, int64_t ahead) const;
  void add(const schedule::Task& task, int64_t ahead);
  /// For how many micro-batches the schedule has `task`.
  int64_t countOf(StringRef task) const;

  schedule::Table table_;
  std::vector<std::vector<schedule::PeriodTask>> periods_;  // by worker
  int64_t numMicroBatches_ = 0;
  bool isByMessages_ = false;
  bool isPeriodic_ = false;
  int64_t middle_ = 0;  // the step whose period stands in the middle
  int64_t lag_ = 0;
  std::vector<Step> steps_;  // of that period, by position
  llvm::StringMap<std::vector<int64_t>> positions_;  // by task, step and time
  llvm::StringMap<std::vector<int64_t>> aheadOf_;    // by task and time
};

}  // namespace sbp

#endif  // PASSES_STAGES_PIPELINEORDER_H_
