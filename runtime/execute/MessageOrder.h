// Message-driven execution of a loop: which of its blocks can run next.
//
// In static execution a rank waits for the task that its schedule names next,
// although the input of another one may have arrived. Here it runs any task
// whose inputs are there (Myelin, section III); of several, the compiler's
// urgencies choose, backwards first.
//
//   order of the plan     1F0 1B0 1F1 1B1
//   arrived               inputs of 1F0 and of 1F1; no gradient yet
//   order of execution    1F0 1F1 ...           if 1F has two slots
//
// The next run of a block is ready when
//
//   - for the same micro-batch, all blocks have run that precede it in the plan
//     for every micro-batch; or, of a block that runs once, all runs are over
//     of the blocks that in the plan run for the last time before it;
//   - each buffer that it keeps for other blocks has a slot;
//   - its messages have arrived (the executor asks the communicator).
//
// Each block takes its micro-batches in the order of the plan. So gradients are
// added in the same order as in static execution, and results are the same in
// every bit.
//
// There is no deadlock if the plan has none. Consider, in the plan's sequence
// of the tasks of all ranks, the first task that has not run. All its
// predecessors have run, so its inputs are there. A buffer's slots are handed
// to micro-batches in the order of the plan; so those that have one came before
// this one, and hold no more slots now than at this point of the plan, where
// there was one to spare. So this task is ready.

#ifndef RUNTIME_EXECUTE_MESSAGEORDER_H_
#define RUNTIME_EXECUTE_MESSAGEORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

class MessageOrder {
 public:
  /// Of `loop`, whose order messages decide.
  explicit MessageOrder(const plan::Loop& loop);

  /// Begins a new run of the loop.
  void restart();

  /// Whether every block has run for all its times.
  bool isDone() const { return numLeft_ == 0; }

  /// Whether `block` has a next run, and for which time that is: the
  /// micro-batch.
  bool isLeft(size_t block) const {
    return numRuns_[block] < times_[block].size();
  }
  int64_t timeOf(size_t block) const { return times_[block][numRuns_[block]]; }

  /// Whether the next run of `block` is ready but for messages: preceding
  /// blocks have run and slots are free. `inUse` are the slots of the loop, one
  /// for each of plan::Loop::slots.
  bool canRun(size_t block, const std::vector<plan::SlotsInUse>& inUse) const;

  /// Records that the next run of `block` has ended.
  void note(size_t block);

  /// All blocks, the most urgent first.
  const std::vector<size_t>& byUrgency() const { return byUrgency_; }

 private:
  /// Whether `block`, for its next time `time`, need not wait for `before`.
  bool isOver(size_t before, size_t block, int64_t time) const {
    return isOnce_[block] ? !isLeft(before) : isOver_[before][time];
  }

  std::vector<std::vector<int64_t>> times_;    // by block, as they run
  std::vector<std::vector<size_t>> waitsFor_;  // by block
  std::vector<bool> isOnce_;                   // by block
  std::vector<std::vector<size_t>> slotsOf_;   // by block
  std::vector<int64_t> counts_;                // of slots
  std::vector<size_t> byUrgency_;
  int64_t numTimes_;
  // Of the run that is under way:
  std::vector<size_t> numRuns_;  // by block
  /// By block and time: it has run, or never does.
  std::vector<std::vector<bool>> isOver_;
  size_t numLeft_ = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_MESSAGEORDER_H_
