// What the schedule that will run stages says of them before they are cut:
// which group each is on, and how much of its own it keeps at once.
//
//   1f1b, N micro-batches    min(N, S - s) micro-batches of stage s under way
//   pipedream-2bw            two versions of the weights besides
//   chimera                  a copy of the weights for each of two pipes
//   zb-v on D groups         stages s and 2D - 1 - s on group s
//
// It is read off the table (passes/schedule/Slots.h). What workers have of a
// stage is counted together, as if it were all on the one where it is at home:
// of other stages that one has as much in turn.

#ifndef PASSES_CUT_SCHEDULEDSTAGES_H_
#define PASSES_CUT_SCHEDULEDSTAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cut/StageCut.h"

namespace sbp {

struct ScheduledStages {
  /// Group of each stage: stage s is on group s mod D of D groups, unless the
  /// schedule runs it on other groups only.
  std::vector<int64_t> groups;
  std::vector<StageLoad> loads;  // by stage
  /// Number of micro-batches of a step.
  int64_t microBatches;

  /// Number of stages of the group that has most.
  int64_t mostOnOneGroup() const;
};

/// Returns what `schedule` says of `numStages` stages on `numGroups` groups. It
/// is a family, or a file with a table, with `microBatches` micro-batches, or
/// with its own number of them if that is 0. If it is empty, or cannot be run
/// so, the answer is that of 1f1b: what is wrong with a schedule is reported
/// where it becomes that of the program.
ScheduledStages scheduledStages(const std::string& schedule, int64_t numStages,
                                int64_t numGroups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_SCHEDULEDSTAGES_H_
