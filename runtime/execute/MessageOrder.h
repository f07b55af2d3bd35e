// Message-driven execution of a loop: the choice of the block (plan/Loop.h) to
// run next.
//
// In static execution a rank waits for the inputs of the next block of its
// schedule, even if the inputs of another block have arrived. In message-driven
// execution it runs any block whose inputs have arrived (Myelin, section III).
// If there are several such blocks, it runs the most urgent one, by the
// urgencies that the compiler has given them: a backward rather than a forward.
//
//   order of the plan     1F0 1B0 1F1 1B1
//   arrived               inputs of 1F0 and of 1F1; no gradient yet
//   order of execution    1F0 1F1 ...           if 1F has two slots
//
// Here 1F0 is the forward of stage 1 for micro-batch 0, and B a backward. The
// next run of a block is ready if
//
// - each predecessor of the block has run for this micro-batch. Block A is a
//   predecessor of block B if, in the order of the plan, A runs before B for
//   every micro-batch for which both run. For a block that runs once per step,
//   the condition is instead that each block whose last run precedes this run
//   in the order of the plan has run for all its micro-batches;
// - each of the loop's slotted buffers (plan::Loop::Slots) that the block uses
//   has a free slot, or a slot that the micro-batch holds already;
// - no task of the block that finishes a transfer would block. The executor
//   checks this.
//
// Each block runs its micro-batches in the order of the plan. So gradients are
// added in the same order as in static execution, and results are equal bit by
// bit.
//
// There is no deadlock if the plan has none. Take one order in which the plan
// lets the tasks of all ranks run one after the other, and in it the first task
// that has not run yet. All tasks before this one have run, so its inputs are
// there. It also gets a slot: slots are given to micro-batches in the order of
// the plan, so each micro-batch that holds a slot now would also hold one at
// this point of the sequential order, and there a slot is free for this task.
// So this task is ready.

#ifndef RUNTIME_EXECUTE_MESSAGEORDER_H_
#define RUNTIME_EXECUTE_MESSAGEORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// The state of a message-driven loop: what has run, and what may run next.
class MessageOrder {
 public:
  /// Creates the order of `loop`, which must have Loop::messages.
  explicit MessageOrder(const plan::Loop& loop);

  /// Resets the state, so that the loop can run again from the start.
  void restart();

  /// Whether every block has run for all its micro-batches.
  bool isDone() const { return numLeft_ == 0; }

  /// Whether `block` has still to run for some micro-batch.
  bool hasNextRun(size_t block) const {
    return numRuns_[block] < microBatches_[block].size();
  }
  /// Returns the micro-batch of the next run of `block`.
  int64_t microBatchOf(size_t block) const {
    return microBatches_[block][numRuns_[block]];
  }

  /// Whether the next run of `block` is ready apart from its messages: its
  /// predecessors have run, and its buffers have slots. `inUse` says which
  /// slots are in use; its elements correspond to those of Loop::slots. False
  /// if there is no next run.
  bool canRun(size_t block, const std::vector<plan::SlotsInUse>& inUse) const;

  /// Records that the next run of `block` has ended.
  void noteRun(size_t block);

  /// Returns all blocks, the most urgent first.
  const std::vector<size_t>& byUrgency() const { return byUrgency_; }

 private:
  /// Whether block `before` has run as far as the run of `block` for
  /// `microBatch` needs.
  bool isOver(size_t before, size_t block, int64_t microBatch) const {
    return isOnce_[block] ? !hasNextRun(before) : isOver_[before][microBatch];
  }

  /// The micro-batches of each block, in the order in which it runs them.
  std::vector<std::vector<int64_t>> microBatches_;
  std::vector<std::vector<size_t>> waitsFor_;  // earlier blocks, by block
  std::vector<bool> isOnce_;                   // by block
  std::vector<std::vector<size_t>> slotsOf_;   // into Loop::slots, by block
  std::vector<int64_t> counts_;  // Slots::count, by index into Loop::slots
  std::vector<size_t> byUrgency_;
  int64_t numMicroBatches_;
  // State of the current run:
  std::vector<size_t> numRuns_;  // so far, by block
  /// Whether a block has run for a micro-batch, or never runs for it; by block
  /// and micro-batch.
  std::vector<std::vector<bool>> isOver_;
  size_t numLeft_ = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_MESSAGEORDER_H_
