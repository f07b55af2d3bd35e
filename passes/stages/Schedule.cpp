#include "passes/stages/Schedule.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/StringExtras.h"
#include "passes/microbatches/AskedMicroBatches.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Delays.h"
#include "passes/schedule/Period.h"
#include "passes/stages/Stages.h"
#include "runtime/status/Status.h"

namespace sbp {
namespace {

using schedule::Kind;
using schedule::Table;
using schedule::Task;

ScheduleOp scheduleOpOf(ModuleOp module) {
  auto all = module.getOps<ScheduleOp>();
  return all.empty() ? ScheduleOp() : *all.begin();
}

/// Returns the ranks of a group in ascending order.
std::vector<int64_t> ranksOf(StagesOp stages, mlir::FlatSymbolRefAttr group) {
  FailureOr<Mesh> mesh = lookupMesh(stages, group);
  std::vector<int64_t> ranks(mesh->ranks.begin(), mesh->ranks.end());
  if (ranks.empty()) {
    ranks.resize(mesh->numRanks());
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

absl::StatusOr<Table> tableOf(ScheduleOp op) {
  std::string text;
  for (auto row : op.getRows().getAsRange<mlir::StringAttr>())
    text += row.str() + "\n";
  SBP_ASSIGN_OR_RETURN(Table table, schedule::readCsv(text));
  // The reader leaves out empty rows at the end of a text.
  table.workers.resize(op.getRows().size());
  return table;
}

/// Fails if a stage is recomputed for some micro-batches but not for others.
/// The table must be complete (Completeness.h).
absl::Status checkRecomputed(const Table& table) {
  std::vector<std::vector<bool>> isRecomputed(
      table.numStages, std::vector<bool>(table.numParts()));
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Recompute)
        for (int64_t part = task.first; part < task.end(); ++part)
          isRecomputed[task.stage][part] = true;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    const std::vector<bool>& ofStage = isRecomputed[stage];
    const auto first = std::find(ofStage.begin(), ofStage.end(), true);
    const auto missing = std::find(ofStage.begin(), ofStage.end(), false);
    if (first == ofStage.end() || missing == ofStage.end()) continue;
    auto words = [&](auto part) {
      return schedule::describeParts(table, part - ofStage.begin(), 1);
    };
    return error(
        "recomputes stage {} for {}, but not for {}; a stage is recomputed for "
        "all micro-batches or for none",
        stage, words(first), words(missing));
  }
  return absl::OkStatus();
}

absl::Status checkTable(const Table& table, StagesOp stages) {
  const StageWorkers workers = workersOf(stages);
  SBP_RETURN_IF_ERROR(checkSupported(table));
  SBP_RETURN_IF_ERROR(checkStages(table, workers));
  if (absl::Status found = schedule::check(table); !found.ok())
    return error("cannot be run: {}", textOf(found));
  SBP_RETURN_IF_ERROR(checkRecomputed(table));
  SBP_ASSIGN_OR_RETURN(const auto delays, schedule::delaysOf(table));
  SBP_RETURN_IF_ERROR(schedule::periodsOf(table, delays).status());
  return checkGroupsAreDisjoint(stages);
}

absl::Status checkMessages(const Table& table, ScheduleOp op) {
  if (!op.getByMessages() || !schedule::isAsynchronous(table))
    return absl::OkStatus();
  return error(
      "is without a flush and has by_messages; steps that overlap run in the "
      "order of the rows, so by_messages must be left out");
}

}  // namespace

std::string StageWorkers::describe(int64_t worker) const {
  return fmt::format("worker {}, @{}", worker, groups[worker].getValue().str());
}

StageWorkers workersOf(StagesOp stages) {
  StageWorkers workers;
  for (auto group : stages.getGroups().getAsRange<mlir::FlatSymbolRefAttr>()) {
    const auto* known = llvm::find(workers.groups, group);
    workers.workerOfStage.push_back(known - workers.groups.begin());
    if (known == workers.groups.end()) workers.groups.push_back(group);
  }
  return workers;
}

absl::Status checkGroupsAreDisjoint(StagesOp stages) {
  llvm::DenseMap<int64_t, mlir::FlatSymbolRefAttr> groupOfRank;
  for (mlir::FlatSymbolRefAttr group : workersOf(stages).groups)
    for (int64_t rank : ranksOf(stages, group)) {
      const auto [known, isNew] = groupOfRank.try_emplace(rank, group);
      if (!isNew)
        return error(
            "is for groups that have rank {} in common, @{} and @{}; with a "
            "schedule each rank must be in one group",
            rank, known->second.getValue().str(), group.getValue().str());
    }
  return absl::OkStatus();
}

absl::Status checkSupported(const Table& table) {
  const bool hasFlush = !schedule::isAsynchronous(table);
  for (const std::vector<Task>& tasks : table.workers) {
    const Task* update = nullptr;
    for (const Task& task : tasks) {
      const std::string cell = schedule::cellOf(table, task);
      if (update && hasFlush && task.kind != Kind::Update)
        return error(
            "has {} before {}; in a schedule with a flush, updates of weights "
            "must be at the end of a row",
            schedule::cellOf(table, *update), cell);
      if (task.kind == Kind::Update) update = &task;
      if (schedule::isPerPart(task.kind)) continue;
      if (!schedule::isOfWholeStep(table, task))
        return error(
            "has {}; a step must update its weights once, by the gradients of "
            "all its micro-batches; to update after each micro-batch, make "
            "it a step of its own",
            cell);
    }
  }
  return absl::OkStatus();
}

absl::Status checkStages(const Table& table, const StageWorkers& workers) {
  if (table.numStages != workers.numStages())
    return error("has {} stages, but sbp.stages has {}", table.numStages,
                 workers.numStages());
  std::vector<bool> isAtHome(table.numStages);
  std::vector<int64_t> other(table.numStages, -1);
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const Task& task : table.workers[worker]) {
      if (worker == workers.workerOfStage[task.stage])
        isAtHome[task.stage] = true;
      else
        other[task.stage] = worker;
    }
  for (int64_t stage = 0; stage < table.numStages; ++stage)
    if (!isAtHome[stage] && other[stage] >= 0)
      return error("runs stage {} on {}, but sbp.stages has it on {}", stage,
                   workers.describe(other[stage]),
                   workers.describe(workers.workerOfStage[stage]));
  return absl::OkStatus();
}

FailureOr<std::optional<Table>> scheduleOf(ModuleOp module) {
  ScheduleOp op = scheduleOpOf(module);
  if (!op) return std::optional<Table>();
  absl::StatusOr<Table> table = tableOf(op);
  if (!table.ok())
    return op.emitOpError()
           << "has rows that cannot be read: " << textOf(table.status());
  StagesOp stages = stagesOf(module);
  absl::Status found = checkTable(*table, stages);
  if (found.ok()) found = checkMessages(*table, op);
  if (!found.ok()) {
    mlir::InFlightDiagnostic diagnostic = op.emitOpError() << textOf(found);
    diagnostic.attachNote(stages.getLoc()) << "the stages are here";
    return diagnostic;
  }
  return std::optional(*std::move(table));
}

FailureOr<std::vector<int64_t>> delaysOf(ModuleOp module) {
  FailureOr<std::optional<Table>> table = scheduleOf(module);
  if (failed(table)) return failure();
  if (!*table || !schedule::isAsynchronous(**table))
    return std::vector<int64_t>();
  return *schedule::delaysOf(**table);
}

bool isByMessages(ModuleOp module) {
  ScheduleOp op = scheduleOpOf(module);
  return op && op.getByMessages();
}

ScheduleOp addSchedule(StagesOp stages, const Table& table, Location loc) {
  const StageWorkers workers = workersOf(stages);
  OpBuilder builder(stages->getContext());
  builder.setInsertionPointAfter(stages);
  SmallVector<Attribute> rows;
  for (const std::vector<Task>& tasks : table.workers) {
    std::vector<std::string> cells;
    for (const Task& task : tasks)
      cells.push_back(schedule::cellOf(table, task));
    rows.push_back(builder.getStringAttr(llvm::join(cells, ",")));
  }
  SmallVector<Attribute> groups(workers.groups.begin(), workers.groups.end());
  return ScheduleOp::create(builder, loc, builder.getArrayAttr(groups),
                            builder.getArrayAttr(rows),
                            /*by_messages=*/false);
}

FailureOr<BatchParts> batchPartsOf(ModuleOp module, int64_t option) {
  FailureOr<std::optional<Table>> table = scheduleOf(module);
  FailureOr<int64_t> asked = askedMicroBatches(module, option);
  if (failed(table) || failed(asked)) return failure();
  if (!*table) return BatchParts{std::max<int64_t>(*asked, 1)};
  if (*asked > 0 && *asked != (*table)->numMicroBatches)
    return scheduleOpOf(module).emitOpError()
           << "has " << (*table)->numMicroBatches << " micro-batches, but "
           << *asked << " are asked for; leave out the option micro-batches";
  return BatchParts{(*table)->numMicroBatches,
                    (*table)->numParts() / (*table)->numMicroBatches};
}

LogicalResult markStage(Operation* function, int64_t stage,
                        const Table& table) {
  bool isSplit = false, isRecomputed = false;
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks) {
      if (task.stage != stage) continue;
      isSplit |= task.kind == Kind::Input || task.kind == Kind::Weight;
      isRecomputed |= task.kind == Kind::Recompute;
    }
  if (isSplit)
    function->setAttr(kSplitBackwardAttrName,
                      mlir::UnitAttr::get(function->getContext()));
  else
    function->removeAttr(kSplitBackwardAttrName);
  const bool isMarked = function->hasAttr(kKeepAttrName);
  if (isRecomputed && !isMarked)
    function->setAttr(kKeepAttrName,
                      KeepAttr::get(function->getContext(), Kept::Inputs));
  const Kept kept = keptBy(function);
  if (isRecomputed == (kept != Kept::All)) return success();
  const std::string task = StageTask{stage, Kind::Recompute}.text();
  mlir::InFlightDiagnostic error =
      function->emitOpError()
      << "has '" << kKeepAttrName << "' = " << function->getAttr(kKeepAttrName);
  if (isRecomputed)
    error << ", but the schedule recomputes stage " << stage
          << "; leave out the attribute, or the tasks " << task;
  else
    error << ", but the schedule does not recompute stage " << stage
          << "; leave out the attribute, or add a task " << task
          << " before each backward";
  return error;
}

}  // namespace sbp
