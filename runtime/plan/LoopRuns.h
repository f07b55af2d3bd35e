// How a loop of a plan runs: which block for which time, one after the other,
// and which slots the times have.

#ifndef RUNTIME_PLAN_LOOPRUNS_H_
#define RUNTIME_PLAN_LOOPRUNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
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

/// By task of `program` the block of a loop in which it stands, numbered
/// through all loops; none: -1.
std::vector<int64_t> blocksOfTasks(const EntryProgram& program);

/// The least and the most of Loop::Run::ahead.
struct AheadRange {
  int64_t least = 0, most = 0;
};
AheadRange aheadOf(const Loop& loop);

/// Where `buffer`, as tasks name it, lies in `rotation` for step `step`.
int64_t placeInRotation(const Rotation& rotation, int64_t buffer, int64_t step);

/// So many steps ahead of its own one a rank may run tasks of entry number
/// `entry`, at most.
int64_t mostAheadOf(const Plan& plan, size_t entry);

/// Tasks [first, last), of no loop, of the step so far ahead of the turn's:
/// those before the loop, those behind it, and late ones.
struct Section {
  int64_t first = 0;
  int64_t last = 0;
  int64_t ahead = 0;
};

/// The sections of tasks [first, last) of `program`, which stand in no loop, of
/// an entry that lags `lag`; none is empty.
std::vector<Section> sectionsOf(const EntryProgram& program, int64_t lag,
                                int64_t first, int64_t last);

/// Tasks [first, last) that run one after the other: of a block of a loop, for
/// one time of it, or outside of loops.
struct Stretch {
  int64_t first = 0;
  int64_t last = 0;
  int64_t step = 0;
  int64_t loop = -1;   // an index into EntryProgram::loops; none: -1
  int64_t block = -1;  // of the loop
  int64_t time = 0;
};

/// What `program` runs in turn `turn` of an entry that lags `lag`, where the
/// steps [0, numSteps) are to be run; with loops by their order.
std::vector<Stretch> stretchesOf(const EntryProgram& program, int64_t lag,
                                 int64_t turn, int64_t numSteps);

/// The turns in which a program runs something of the steps [0, numSteps).
struct Turns {
  int64_t first = 0;
  int64_t last = 1;  // exclusively
};
Turns turnsOf(const EntryProgram& program, int64_t lag, int64_t numSteps);

/// Of how many steps, one behind the other, transfers of entry number `entry`
/// may be under way at once.
int64_t stepsAtOnce(const Plan& plan, size_t entry);

/// So many steps of entry number `entry` show all that can go wrong: where
/// steps overlap, or memory goes round, all of it has been used again by then.
int64_t stepsThatShowAll(const Plan& plan, size_t entry);

/// Which slot each time has of those that some blocks share (Loop::Slots), as
/// the runs of a loop go by. A time takes the lowest slot that is free. Where
/// steps overlap, times count on from step to step.
class SlotsInUse {
 public:
  /// `users` are blocks, which all run for the same times.
  explicit SlotsInUse(const std::vector<int64_t>& users)
      : numUsers_(static_cast<int64_t>(users.size())) {}

  /// Before and after each run of one of the users.
  void begin(int64_t time);
  void end(int64_t time);

  /// Whether `time` has a slot, or can get one of `count`.
  bool hasRoom(int64_t time, int64_t count) const {
    return held_.count(time) > 0 || !free_.empty() || most_ < count;
  }

  /// Of a time that has one.
  int64_t slotOf(int64_t time) const { return held_.at(time).slot; }

  /// So many slots have been in use at once.
  int64_t most() const { return most_; }

 private:
  struct Held {
    int64_t slot = 0;
    int64_t missing = 0;  // runs that are still to come
  };

  int64_t numUsers_;
  std::map<int64_t, Held> held_;  // by time
  std::set<int64_t> free_;        // of those below most_
  int64_t most_ = 0;
};

/// How many slots are in use at once, at most, where `runs` are run step after
/// step: each a block of a loop of `numBlocks` for one of `times` times.
/// `users` are the blocks that use them.
int64_t mostSlotsInUse(const std::vector<Loop::Run>& runs, int64_t numBlocks,
                       int64_t times, const std::vector<int64_t>& users);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_LOOPRUNS_H_
