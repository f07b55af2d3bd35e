// What a schedule says about stages before the model is cut into them: the
// group of each stage, the number of micro-batches that a stage keeps at once,
// and the number of copies of its weights. For S stages, stage s among them:
//
//   1f1b, N micro-batches    min(N, S - s) micro-batches of stage s in flight
//   pipedream-2bw            in addition, two versions of the weights
//   chimera                  a copy of the weights for each of two pipes
//   zb-v on D groups         stages s and 2D - 1 - s on group s
//
// These numbers are read off the schedule's table (passes/schedule/Slots.h). If
// several groups run a stage, the numbers of all of them count on the stage's
// own group. In exchange, other stages that this group runs count on their own
// groups.

#ifndef PASSES_CUT_SCHEDULEDSTAGES_H_
#define PASSES_CUT_SCHEDULEDSTAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cut/StageCut.h"

namespace sbp {

/// The groups and loads of all stages.
struct ScheduledStages {
  /// Group of each stage, an index below D, the number of groups. Stage s is on
  /// group s mod D, or, if the schedule does not run it there, on the first
  /// group that runs it.
  std::vector<int64_t> groups;
  std::vector<StageLoad> loads;  // by stage
  /// Number of micro-batches of a training step.
  int64_t microBatches;

  /// Number of stages of the group that has the most stages.
  int64_t mostOnOneGroup() const;
};

/// Returns the groups and loads of `numStages` stages on `numGroups` groups by
/// `schedule`: the name of a family of schedules, or a file with a table. A
/// family's table has `microBatches` micro-batches, where 0 counts as 1; a
/// file's table has its own number. If `schedule` is empty, or has no valid
/// table for these stages and groups, returns the groups and loads of 1f1b with
/// `microBatches` micro-batches. An error in the schedule is reported later,
/// when the program gets its schedule.
ScheduledStages scheduledStages(const std::string& schedule, int64_t numStages,
                                int64_t numGroups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_SCHEDULEDSTAGES_H_
