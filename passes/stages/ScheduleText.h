// The table that a schedule on the command line stands for.

#ifndef PASSES_STAGES_SCHEDULETEXT_H_
#define PASSES_STAGES_SCHEDULETEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Whether `schedule` is the name of a file: it has a point or a slash, which
/// names of families do not have.
bool isScheduleFile(const std::string& schedule);

/// Returns the table of `schedule`, which is a family with its parameters
/// (passes/schedule/families/FamilyText.h), or the name of a file. A family's
/// table is made for stages on the workers `workerOfStage` and for
/// `microBatches` micro-batches, where 0 counts as 1. A file's table has its
/// own stages, workers and micro-batches: they are not compared with the
/// arguments. Fails if the file cannot be read, or if the family does not exist
/// or has no such table.
absl::StatusOr<schedule::Table> tableOfText(
    const std::string& schedule, const std::vector<int64_t>& workerOfStage,
    int64_t numWorkers, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULETEXT_H_
