#include "passes/cut/ScheduledStages.h"

#include <algorithm>
#include <set>
#include <utility>

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
      // Before it recomputes, a stage keeps only the inputs of its forward.
      // These are not counted.
      const int64_t inFlight =
          slots.recomputed > 0 ? slots.recomputed : slots.inFlight;
      loads[slots.stage].inFlight += static_cast<double>(inFlight) / parts;
      loads[slots.stage].copies += static_cast<double>(slots.weights);
    }
  return loads;
}

/// Returns the home of each stage: worker `inTurns[stage]` if it runs the stage
/// in `table`, else the first worker that does.
std::vector<int64_t> homesOf(const schedule::Table& table,
                             const std::vector<int64_t>& inTurns) {
  std::vector<std::set<int64_t>> workers(table.numStages);
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const schedule::Task& task : table.workers[worker])
      workers[task.stage].insert(worker);
  std::vector<int64_t> homes;
  for (size_t stage = 0; stage < workers.size(); ++stage)
    homes.push_back(workers[stage].count(inTurns[stage]) > 0
                        ? inTurns[stage]
                        : *workers[stage].begin());
  return homes;
}

}  // namespace

int64_t ScheduledStages::mostOnOneGroup() const {
  int64_t most = 0;
  for (int64_t group : groups)
    most = std::max<int64_t>(most,
                             std::count(groups.begin(), groups.end(), group));
  return most;
}

ScheduledStages scheduledStages(const std::string& schedule, int64_t numStages,
                                int64_t numGroups, int64_t microBatches) {
  std::vector<int64_t> inTurns;
  for (int64_t stage = 0; stage < numStages; ++stage)
    inTurns.push_back(stage % numGroups);
  if (!schedule.empty())
    if (const auto table =
            tableOfText(schedule, inTurns, numGroups, microBatches);
        table.ok() && table->numStages == numStages &&
        table->numWorkers() == numGroups && schedule::check(*table).ok())
      return {homesOf(*table, inTurns), loadsOf(*table),
              table->numMicroBatches};
  microBatches = std::max<int64_t>(microBatches, 1);
  return {std::move(inTurns), loadsOf1F1B(numStages, microBatches),
          microBatches};
}

}  // namespace sbp
