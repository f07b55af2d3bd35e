#include "passes/stages/StageLoads.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Slots.h"
#include "passes/stages/ScheduleText.h"

namespace sbp {
namespace {

std::vector<StageLoad> loadsOf1F1B(int64_t numStages, int64_t microBatches) {
  std::vector<StageLoad> loads;
  for (int64_t stage = 0; stage < numStages; ++stage)
    loads.push_back(
        {static_cast<double>(std::min(microBatches, numStages - stage)), 1});
  return loads;
}

std::vector<StageLoad> loadsOf(const schedule::Table& table) {
  std::vector<StageLoad> loads(table.numStages, {0, 0});
  const auto parts = static_cast<double>(table.partsPerMicroBatch);
  for (const auto& ofWorker : schedule::slotsOf(table))
    for (const schedule::StageSlots& slots : ofWorker) {
      // Of a stage that recomputes, inputs alone are kept before that.
      const int64_t underWay =
          slots.recomputed > 0 ? slots.recomputed : slots.inFlight;
      loads[slots.stage].underWay += static_cast<double>(underWay) / parts;
      loads[slots.stage].copies += static_cast<double>(slots.weights);
    }
  return loads;
}

}  // namespace

std::vector<StageLoad> loadsOf(const std::string& schedule, int64_t numStages,
                               int64_t numGroups, int64_t microBatches) {
  std::vector<int64_t> workers;
  for (int64_t stage = 0; stage < numStages; ++stage)
    workers.push_back(stage % numGroups);
  if (!schedule.empty())
    if (const auto table =
            tableOfText(schedule, workers, numGroups, microBatches);
        table.ok() && table->numStages == numStages &&
        schedule::check(*table).ok())
      return loadsOf(*table);
  return loadsOf1F1B(numStages, microBatches);
}

}  // namespace sbp
