// The table that a word of the command line stands for.

#ifndef PASSES_STAGES_SCHEDULETEXT_H_
#define PASSES_STAGES_SCHEDULETEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Whether `schedule` names a file: no family has a point or a slash in its
/// name.
bool isScheduleFile(const std::string& schedule);

/// The table of `schedule`: of a family, with what is chosen of it, for stages
/// on these workers; or of a file. Whether it is for these stages is not looked
/// at.
absl::StatusOr<schedule::Table> tableOfText(
    const std::string& schedule, const std::vector<int64_t>& workerOfStage,
    int64_t numWorkers, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULETEXT_H_
