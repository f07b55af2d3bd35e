// How much of its own each stage keeps at once, by the schedule that will run
// it.
//
//   1f1b, N micro-batches    min(N, S - s) micro-batches of stage s under way
//   pipedream-2bw            two versions of the weights besides
//   chimera                  a copy of the weights for each of two pipes
//
// It is read off the table (passes/schedule/Slots.h). What workers have of a
// stage is counted together, as if it were all on the one where it is at home:
// of other stages that one has as much in turn.

#ifndef PASSES_STAGES_STAGELOADS_H_
#define PASSES_STAGES_STAGELOADS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/stages/StageCut.h"

namespace sbp {

/// Of `numStages` stages, which take `numGroups` groups in turns, by
/// `schedule`: a family, or a file with a table, with `microBatches`
/// micro-batches. Where that is none which can be run so, or empty, that of
/// 1f1b; what is wrong with it is said where it becomes the schedule of the
/// program.
std::vector<StageLoad> loadsOf(const std::string& schedule, int64_t numStages,
                               int64_t numGroups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGELOADS_H_
