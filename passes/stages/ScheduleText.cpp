#include "passes/stages/ScheduleText.h"

#include <algorithm>

#include "passes/schedule/Csv.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/families/FamilyText.h"
#include "runtime/file/MappedFile.h"
#include "runtime/status/Status.h"

namespace sbp {

using schedule::Table;

bool isScheduleFile(const std::string& schedule) {
  return schedule.substr(0, schedule.find('<')).find_first_of("./") !=
         std::string::npos;
}

absl::StatusOr<Table> tableOfText(const std::string& schedule,
                                  const std::vector<int64_t>& workerOfStage,
                                  int64_t numWorkers, int64_t microBatches) {
  if (isScheduleFile(schedule)) {
    SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                         file::MappedFile::open(schedule));
    absl::StatusOr<Table> table = schedule::readCsv(file.bytes());
    if (table.ok()) return table;
    return error("{}: {}", schedule, textOf(table.status()));
  }
  SBP_ASSIGN_OR_RETURN(schedule::ChosenFamily chosen,
                       schedule::readFamily(schedule));
  SBP_ASSIGN_OR_RETURN(const schedule::Family* family,
                       schedule::familyNamed(chosen.name));
  schedule::Shape& shape = chosen.shape;
  shape.depth = numWorkers;
  shape.microBatches = std::max<int64_t>(microBatches, 1);
  shape.workerOfStage = workerOfStage;
  const auto numStages = static_cast<int64_t>(workerOfStage.size());
  if (family->hasChunks && !shape.chunks && numStages % shape.depth == 0)
    shape.chunks = numStages / shape.depth;
  SBP_ASSIGN_OR_RETURN(Table table, schedule::tableOf(chosen.name, shape));
  if (!chosen.isRecomputed) return table;
  return schedule::withRecomputation(table, schedule::stagesThatGain(table));
}

}  // namespace sbp
