// The facts about stages that follow from a schedule before the model is cut:
// the group of each stage, the number of micro-batches that a stage keeps at
// once, and the number of copies of its weights. For stage s of S stages:
//
//   1f1b, N micro-batches    min(N, S - s) micro-batches of stage s in flight
//   pipedream-2bw            in addition, two versions of the weights
//   chimera                  a copy of the weights for each of two pipes
//   zb-v on D groups         stages s and 2D - 1 - s on group s
//
// The numbers are read off the schedule's table (passes/schedule/Slots.h). A
// stage that runs on several groups is counted as if it ran on one of them, its
// own group, with the sum of the numbers of all its groups. In return, a group
// is not charged for other groups' stages that it runs.

#ifndef PASSES_CUT_SCHEDULEDSTAGES_H_
#define PASSES_CUT_SCHEDULEDSTAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cut/StageCut.h"

namespace sbp {

/// The groups and loads of all stages.
struct ScheduledStages {
  /// Group of each stage, an index below the number D of groups. The group is s
  /// mod D for stage s if the schedule runs the stage there, else the first
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
/// family's table has max(`microBatches`, 1) micro-batches; a file's table has
/// its own number. If `schedule` is empty, or has no valid table for these
/// stages and groups, returns the groups and loads of 1f1b. An error in the
/// schedule is reported later, when the program gets its schedule.
ScheduledStages scheduledStages(const std::string& schedule, int64_t numStages,
                                int64_t numGroups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_SCHEDULEDSTAGES_H_
