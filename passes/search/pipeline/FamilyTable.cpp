#include "passes/search/pipeline/FamilyTable.h"

#include <algorithm>
#include <map>
#include <utility>

#include "passes/schedule/Repetition.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"
#include "runtime/status/Status.h"

namespace sbp::search {

using schedule::Kind;
using schedule::Task;

absl::StatusOr<std::unique_ptr<FamilyTable>> FamilyTable::make(
    const schedule::ChosenFamily& family, const JointCase& ofCase) {
  schedule::Shape shape = family.shape;
  shape.depth = ofCase.workers;
  shape.microBatches = ofCase.microBatches;
  SBP_ASSIGN_OR_RETURN(const schedule::Family* known,
                       schedule::familyNamed(family.name));
  if (known->hasChunks) shape.chunks = ofCase.chunks;
  SBP_ASSIGN_OR_RETURN(schedule::Table table,
                       schedule::tableOf(family.name, shape));
  if (table.numStages != ofCase.numStages())
    return error(
        "{} has {} stages on {} workers; the case has {} chunks per worker, so "
        "{} stages",
        family.name, table.numStages, ofCase.workers, ofCase.chunks,
        ofCase.numStages());
  return of(std::move(table));
}

std::unique_ptr<FamilyTable> FamilyTable::of(schedule::Table table) {
  return std::unique_ptr<FamilyTable>(new FamilyTable(std::move(table)));
}

FamilyTable::FamilyTable(schedule::Table table) : table_(std::move(table)) {
  addUpdates();
  isPeriodic_ = schedule::numOverlappedSteps(table_) > 0;
  dependencies_ = std::make_unique<schedule::Dependencies>(table_);

  const auto parts = static_cast<double>(table_.partsPerMicroBatch);
  const auto slots = schedule::slotsOf(table_);
  std::vector<int64_t> workersOf(table_.numStages, 0);
  isOnePipe_ = true;
  for (int64_t worker = 0; worker < table_.numWorkers(); ++worker) {
    std::map<int64_t, WorkerStage> byStage;
    for (const Task& task : table_.workers[worker]) {
      WorkerStage& stage = byStage[task.stage];
      if (task.kind == Kind::Forward)
        stage.microBatches += static_cast<double>(task.count) / parts;
      if (task.kind == Kind::Update) ++stage.updates;
      if (task.kind == Kind::Input) stage.isWhole = false;
    }
    for (const schedule::StageSlots& slot : slots[worker]) {
      WorkerStage& stage = byStage[slot.stage];
      stage.stage = slot.stage;
      stage.load.inFlight = static_cast<double>(slot.inFlight) / parts;
      stage.load.awaitingWeight =
          static_cast<double>(slot.awaitingWeightGradient) / parts;
      stage.load.versions = static_cast<double>(slot.weights);
      stage.beforeInput = static_cast<double>(slot.awaitingBackward) / parts;
    }
    std::vector<WorkerStage>& ofWorker = workers_.emplace_back();
    for (const auto& [number, stage] : byStage) {
      ofWorker.push_back(stage);
      isOnePipe_ &= ++workersOf[number] == 1;
    }
    isOnePipe_ &= ofWorker.size() == 1;
  }
}

void FamilyTable::addUpdates() {
  for (const std::vector<Task>& tasks : table_.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Update) return;
  for (std::vector<Task>& tasks : table_.workers) {
    std::vector<int64_t> stages;  // in the reverse order of their last tasks
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task)
      if (std::find(stages.begin(), stages.end(), task->stage) == stages.end())
        stages.push_back(task->stage);
    std::reverse(stages.begin(), stages.end());
    for (int64_t stage : stages)
      tasks.push_back({Kind::Update, stage, 0, table_.numParts()});
  }
}

schedule::Durations durationsOf(const std::vector<StageCost>& costs) {
  schedule::Durations durations;
  for (const StageCost& cost : costs) {
    schedule::StageTimes& times = durations.stages.emplace_back();
    times.forward = cost.forward;
    times.backward = cost.input + cost.weight;
    times.input = cost.input;
    times.weight = cost.weight;
    times.update = cost.once;
    durations.boundaryLatencies.push_back(cost.delay);
  }
  return durations;
}

double FamilyTable::secondsOf(const std::vector<StageCost>& costs) const {
  const schedule::Durations durations = durationsOf(costs);
  return isPeriodic_
             ? schedule::fastestRepetition(*dependencies_, durations).period
             : schedule::simulate(*dependencies_, durations).makespan;
}

std::vector<double> FamilyTable::bytesOf(
    const std::vector<StageCost>& costs) const {
  std::vector<double> bytes;
  for (const std::vector<WorkerStage>& stages : workers_) {
    double sum = 0, transient = 0;
    for (const WorkerStage& stage : stages) {
      sum += stage.load.bytesOf(costs[stage.stage]);
      transient = std::max(transient, costs[stage.stage].transient);
    }
    bytes.push_back(sum + transient);
  }
  return bytes;
}

}  // namespace sbp::search
