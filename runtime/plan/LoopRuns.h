// The order in which the tasks of a program run, and the slots that the
// micro-batches of a loop use.

#ifndef RUNTIME_PLAN_LOOPRUNS_H_
#define RUNTIME_PLAN_LOOPRUNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Returns the blocks of `loop`; if it has none, one block with all its tasks.
std::vector<Loop::Block> blocksOf(const Loop& loop);

/// Returns all runs of the blocks of `loop`, in the order in which they run.
std::vector<Loop::BlockRun> runsOf(const Loop& loop);

/// Returns, for each block and each micro-batch, the index in `runs` of the run
/// of the block for the micro-batch, or -1 if there is none.
std::vector<std::vector<int64_t>> positionsOf(
    const std::vector<Loop::BlockRun>& runs, int64_t numBlocks,
    int64_t numMicroBatches);

/// Returns for each of `runs` the number of runs of the same block for smaller
/// micro-batches. If the block sends or receives a transfer, this number is the
/// occurrence of the transfer (communication/Collectives.h) to which the run
/// belongs.
std::vector<int64_t> occurrencesOf(const std::vector<Loop::BlockRun>& runs,
                                   int64_t numBlocks, int64_t numMicroBatches);

/// Returns for each task of `program` how often it runs per step.
std::vector<int64_t> numRunsOfTasks(const EntryProgram& program);

/// Returns for each task of `program` the number of the block in which it
/// stands, counted through all loops; -1 outside loops.
std::vector<int64_t> blocksOfTasks(const EntryProgram& program);

/// The smallest range, both ends included, that contains 0 and the step offsets
/// of all runs of a loop.
struct StepOffsetRange {
  int64_t least = 0, most = 0;
};
/// Returns this range for `loop`.
StepOffsetRange stepOffsetsOf(const Loop& loop);

/// Returns the offset in the arena that a task accesses in step `step` when it
/// names `buffer`, an offset in `rotation`.
int64_t offsetInRotation(const Rotation& rotation, int64_t buffer,
                         int64_t step);

/// Returns the largest step offset (Plan.h) of a task of entry `entry` on any
/// rank; at least 0.
int64_t maxStepsAhead(const Plan& plan, size_t entry);

/// Consecutive tasks [first, last) outside loops that iteration i runs for one
/// step, i + stepOffset. A program has sections of up to three kinds: tasks
/// before the first loop, tasks of the iteration's own step, and late tasks
/// (EntryProgram::firstLate).
struct Section {
  int64_t first = 0;
  int64_t last = 0;
  int64_t stepOffset = 0;
};

/// Splits tasks [first, last) of `program`, which stand in no loop, into
/// sections. `maxSkew` is Entry::maxSkew. No section is empty.
std::vector<Section> sectionsOf(const EntryProgram& program, int64_t maxSkew,
                                int64_t first, int64_t last);

/// Consecutive tasks [first, last) that run for the same step: one run of a
/// block of a loop, or tasks outside loops.
struct TaskRange {
  int64_t first = 0;
  int64_t last = 0;
  int64_t step = 0;
  int64_t loop = -1;   // an index into EntryProgram::loops; none: -1
  int64_t block = -1;  // of the loop
  int64_t microBatch = 0;
};

/// Returns the task ranges that `program` runs in iteration `iteration`, in the
/// order in which they run. Assumes that steps [0, numSteps) are run, and that
/// loops follow Loop::order. `maxSkew` is Entry::maxSkew.
std::vector<TaskRange> taskRangesOf(const EntryProgram& program,
                                    int64_t maxSkew, int64_t iteration,
                                    int64_t numSteps);

/// The iterations in which a program runs tasks of the steps [0, numSteps).
struct IterationRange {
  int64_t first = 0;
  int64_t last = 1;  // exclusive
};
/// Returns these iterations for `program`. `maxSkew` is Entry::maxSkew.
IterationRange iterationsOf(const EntryProgram& program, int64_t maxSkew,
                            int64_t numSteps);

/// Returns the number of consecutive steps of entry `entry` that may have
/// transfers under way at the same time.
int64_t stepsAtOnce(const Plan& plan, size_t entry);

/// Returns a number of steps of entry `entry` that is large enough to show
/// every conflict: in these steps all memory that overlapping steps or
/// rotations use is reused.
int64_t stepsThatShowAll(const Plan& plan, size_t entry);

/// Assigns the slots of one Loop::Slots to micro-batches while the blocks of
/// the loop run. A micro-batch gets the lowest free slot. If steps overlap,
/// `microBatch` is numbered through all steps: step * Loop::numMicroBatches +
/// micro-batch.
class SlotsInUse {
 public:
  /// `users` are the blocks that use the slots; all of them run for the same
  /// micro-batches.
  explicit SlotsInUse(const std::vector<int64_t>& users)
      : numUsers_(static_cast<int64_t>(users.size())) {}

  /// Call begin() before, and end() after, each run of one of the blocks
  /// `users` for micro-batch `microBatch`. The first begin() for a micro-batch
  /// takes a slot. The end() of the last of these blocks to run frees the slot.
  void begin(int64_t microBatch);
  void end(int64_t microBatch);

  /// Whether micro-batch `microBatch` holds a slot, or could take one if there
  /// are `count` slots.
  bool hasRoom(int64_t microBatch, int64_t count) const {
    return held_.count(microBatch) > 0 || !free_.empty() || most_ < count;
  }

  /// Returns the slot of micro-batch `microBatch`, which must hold one.
  int64_t slotOf(int64_t microBatch) const { return held_.at(microBatch).slot; }

  /// Returns the largest number of slots that have been in use at once.
  int64_t most() const { return most_; }

 private:
  /// A slot that a micro-batch holds.
  struct Held {
    int64_t slot = 0;
    int64_t missing = 0;  // number of `users` that have still to run
  };

  int64_t numUsers_;
  std::map<int64_t, Held> held_;  // by micro-batch
  std::set<int64_t> free_;        // free slots below most_
  int64_t most_ = 0;
};

/// Returns the largest number of slots in use at the same time if every
/// iteration of the entry does the same `runs`. The loop has `numBlocks` blocks
/// and `numMicroBatches` micro-batches; `users` are the blocks that use the
/// slots.
int64_t mostSlotsInUse(const std::vector<Loop::BlockRun>& runs,
                       int64_t numBlocks, int64_t numMicroBatches,
                       const std::vector<int64_t>& users);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_LOOPRUNS_H_
