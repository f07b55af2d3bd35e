// Makes a table from the text of a schedule on the command line.

#ifndef PASSES_STAGES_SCHEDULETEXT_H_
#define PASSES_STAGES_SCHEDULETEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Whether `schedule` is the name of a file. Names of files have a dot or a
/// slash; names of families have neither.
bool isScheduleFile(const std::string& schedule);

/// Returns the table of `schedule`: a family with its parameters
/// (passes/schedule/families/FamilyText.h), or the name of a file. A family's
/// table is for `numWorkers` workers, for stages on the workers
/// `workerOfStage`, and for max(`microBatches`, 1) micro-batches. A file's
/// table has its own stages, workers and micro-batches, and the arguments are
/// ignored. Fails if the file cannot be read, if the family does not exist, or
/// if it has no such table.
absl::StatusOr<schedule::Table> tableOfText(
    const std::string& schedule, const std::vector<int64_t>& workerOfStage,
    int64_t numWorkers, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULETEXT_H_
