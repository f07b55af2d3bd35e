// How a loop of a plan runs: which block for which time, one after the other,
// and which slots the times have.

#ifndef RUNTIME_PLAN_LOOPRUNS_H_
#define RUNTIME_PLAN_LOOPRUNS_H_

#include <cstdint>
#include <set>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// The blocks of `loop`; of one without, one with all its tasks.
std::vector<Loop::Block> blocksOf(const Loop& loop);

/// All runs of those blocks, in their order.
std::vector<Loop::Run> runsOf(const Loop& loop);

/// By block of a loop, where in `runs` it runs for each time; -1 where it does
/// not. The blocks and times of `runs` are those of the loop.
std::vector<std::vector<int64_t>> positionsOf(
    const std::vector<Loop::Run>& runs, int64_t numBlocks, int64_t times);

/// By run of `runs`, for how many smaller times its block runs: the number of
/// what it sends or receives (Transfer::times).
std::vector<int64_t> occurrencesOf(const std::vector<Loop::Run>& runs,
                                   int64_t numBlocks, int64_t times);

/// By task of `program` how often it runs.
std::vector<int64_t> timesOfTasks(const EntryProgram& program);

/// Which slot each time has of those that some blocks share (Loop::Slots), as
/// the runs of a loop go by. A time takes the lowest slot that is free.
class SlotsInUse {
 public:
  /// `users` are blocks, which all run for the same times, each below `times`.
  SlotsInUse(const std::vector<int64_t>& users, int64_t times);

  /// Before and after each run of one of the users.
  void begin(int64_t time);
  void end(int64_t time);

  /// Whether `time` has a slot, or can get one of `count`.
  bool hasRoom(int64_t time, int64_t count) const {
    return slots_[time] >= 0 || !free_.empty() || most_ < count;
  }

  /// Of a time that has one.
  int64_t slotOf(int64_t time) const { return slots_[time]; }

  /// So many slots have been in use at once.
  int64_t most() const { return most_; }

 private:
  int64_t numUsers_;
  std::vector<int64_t> slots_;    // by time; -1: none
  std::vector<int64_t> missing_;  // by time: runs that are still to come
  std::set<int64_t> free_;        // of those below most_
  int64_t most_ = 0;
};

/// How many slots are in use at once, at most, in `runs`: each a block of a
/// loop of `numBlocks` for one of `times` times. `users` are the blocks that
/// use them.
int64_t mostSlotsInUse(const std::vector<Loop::Run>& runs, int64_t numBlocks,
                       int64_t times, const std::vector<int64_t>& users);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_LOOPRUNS_H_
