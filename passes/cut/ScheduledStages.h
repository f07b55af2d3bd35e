// What a schedule says about stages before the model is cut into them: the
// group of each stage, and the number of micro-batches and of copies of its
// weights that each stage keeps at once.
//
//   1f1b, N micro-batches    min(N, S - s) micro-batches of stage s in flight
//   pipedream-2bw            in addition, two versions of the weights
//   chimera                  a copy of the weights for each of two pipes
//   zb-v on D groups         stages s and 2D - 1 - s on group s
//
// These numbers are read off the schedule's table (passes/schedule/Slots.h). If
// several groups run a stage, their numbers are added up and counted on the
// stage's own group. That group runs other stages as well, and their numbers
// are counted on other groups in the same way.

#ifndef PASSES_CUT_SCHEDULEDSTAGES_H_
#define PASSES_CUT_SCHEDULEDSTAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cut/StageCut.h"

namespace sbp {

/// The groups and loads of all stages.
struct ScheduledStages {
  /// Group of each stage: stage s is on group s mod D of D groups, unless the
  /// schedule runs it on other groups only.
  std::vector<int64_t> groups;
  std::vector<StageLoad> loads;  // by stage
  /// Number of micro-batches of a step of the schedule.
  int64_t microBatches;

  /// Number of stages of the group that has the most stages.
  int64_t mostOnOneGroup() const;
};

/// Returns the groups and loads of `numStages` stages on `numGroups` groups by
/// `schedule`: the name of a family of schedules, or a file with a table. A
/// family's table has `microBatches` micro-batches, where 0 counts as 1; a
/// file's table has its own number. If `schedule` is empty, or cannot be run in
/// this way, returns those of 1f1b: the error in a schedule is reported later,
/// where the program gets its schedule.
ScheduledStages scheduledStages(const std::string& schedule, int64_t numStages,
                                int64_t numGroups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_SCHEDULEDSTAGES_H_
