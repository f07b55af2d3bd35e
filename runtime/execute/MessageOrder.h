// Which block of a loop can run next, where messages decide (plan::Loop).
//
// A schedule that is kept to waits for what it names next, while something else
// may have come. Here whatever can run does (Myelin, section 3; the order of
// urgency is the compiler's, backwards first):
//
//   order of the plan      1F0 1B0 1F1 1B1
//   has come               what 1F0 and 1F1 take, no gradient yet
//   runs                   1F0 1F1           if there are two slots for 1F
//
// A block runs for its times in the order of the plan, so sums, and all that is
// computed, are the same in every bit. It can run if the blocks of the same
// time have run that stand before it in the plan for every time, if there are
// slots for what it keeps, and if what it receives has come.
//
// So ranks never wait for one another in a cycle, if they do not by the plan:
// of all that has not run yet anywhere, the first by the plan's order of all
// ranks can run. What stands before it has run; and slots are taken in the
// order of the plan, so those that it lacks are free.

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

  /// Nothing has run.
  void restart();

  /// Whether all has run.
  bool isDone() const { return numLeft_ == 0; }

  /// Whether `block` is to run again, and for which time then.
  bool isLeft(size_t block) const {
    return numRuns_[block] < times_[block].size();
  }
  int64_t timeOf(size_t block) const { return times_[block][numRuns_[block]]; }

  /// Whether that time may run as far as this rank's blocks and slots go;
  /// `inUse` are the loop's slots.
  bool canRun(size_t block, const std::vector<plan::SlotsInUse>& inUse) const;

  /// It has run.
  void note(size_t block);

  /// All blocks, the most urgent first.
  const std::vector<size_t>& byUrgency() const { return byUrgency_; }

 private:
  std::vector<std::vector<int64_t>> times_;    // by block, as they run
  std::vector<std::vector<size_t>> waitsFor_;  // by block
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
