// --sbp-schedule-stages: the schedule that an option names, or list scheduling.

#include <algorithm>
#include <set>
#include <string>

#include "dialects/nn/Nn.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/microbatches/AskedMicroBatches.h"
#include "passes/module/VerifyTensors.h"
#include "passes/options/CheckedPass.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/families/FamilyText.h"
#include "passes/stages/Passes.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/ScheduleText.h"
#include "passes/stages/Stages.h"
#include "runtime/status/Status.h"

namespace sbp {

#define GEN_PASS_DEF_SCHEDULESTAGES
#include "passes/stages/Passes.h.inc"

namespace {

using schedule::Table;

/// Emits the error `status` without a location, since it is about the command
/// and not about a line of the model.
mlir::InFlightDiagnostic emitCommandError(StagesOp stages,
                                          const absl::Status& status) {
  return mlir::emitError(mlir::UnknownLoc::get(stages.getContext()))
         << textOf(status);
}

/// Returns the text of a list for sbp.stages with which `table` could be run.
std::string stagesFor(const Table& table, const StageWorkers& workers) {
  std::vector<std::string> groups(table.numStages);
  for (int64_t worker = table.numWorkers() - 1; worker >= 0; --worker)
    for (const schedule::Task& task : table.workers[worker])
      groups[task.stage] = "@" + workers.groups[worker].getValue().str();
  return "[" + llvm::join(groups, ", ") + "]";
}

/// Returns the stages whose functions do not keep all values. Only the stages
/// of a module that is cut already have functions.
std::set<int64_t> markedStages(StagesOp stages) {
  std::set<int64_t> marked;
  for (auto function :
       stages->getParentOfType<ModuleOp>().getOps<mlir::func::FuncOp>())
    if (keptBy(function) != Kept::All)
      if (const std::optional<int64_t> stage = stageOf(function))
        marked.insert(*stage);
  return marked;
}

/// Returns the table of a family for `stages`, with recomputations of the
/// stages whose functions do not keep all values. Fails if the family has no
/// table for stages on these groups.
FailureOr<Table> tableOfFamily(StagesOp stages, StringRef text,
                               int64_t microBatches) {
  absl::StatusOr<schedule::ChosenFamily> chosen =
      schedule::readFamily(text.str());
  if (!chosen.ok()) return emitCommandError(stages, chosen.status());
  const auto family = schedule::familyNamed(chosen->name);
  if (!family.ok()) return emitCommandError(stages, family.status());

  const StageWorkers workers = workersOf(stages);
  absl::StatusOr<Table> table = tableOfText(text.str(), workers.workerOfStage,
                                            workers.numWorkers(), microBatches);
  if (!table.ok())
    return mlir::emitError(stages.getLoc()) << textOf(table.status());

  if (absl::Status found = checkSupported(*table); !found.ok())
    return mlir::emitError(stages.getLoc())
           << "the schedule " << chosen->name << " " << textOf(found);
  if (absl::Status found = checkStages(*table, workers); !found.ok()) {
    mlir::InFlightDiagnostic diagnostic = mlir::emitError(stages.getLoc());
    diagnostic << "the schedule " << chosen->name << " " << textOf(found);
    diagnostic.attachNote()
        << chosen->name << " is for sbp.stages " << stagesFor(*table, workers)
        << "; the schedule list is for any stages";
    return diagnostic;
  }
  table = schedule::withRecomputation(*table, markedStages(stages));
  if (chosen->isRecomputed && !schedule::isRecomputed(*table))
    mlir::emitRemark(stages.getLoc())
        << "no stage is recomputed: each would hold the saved values of as "
           "many micro-batches at once as without it";
  return *std::move(table);
}

FailureOr<Table> tableOfFile(StagesOp stages, StringRef path) {
  absl::StatusOr<Table> table =
      tableOfText(path.str(), /*workerOfStage=*/{}, /*numWorkers=*/1,
                  /*microBatches=*/1);
  if (!table.ok()) return emitCommandError(stages, table.status());
  const StageWorkers workers = workersOf(stages);
  if (table->numWorkers() != workers.numWorkers())
    return mlir::emitError(stages.getLoc())
           << path << " has " << table->numWorkers()
           << (table->numWorkers() == 1 ? " line" : " lines")
           << ", but sbp.stages has " << workers.numWorkers()
           << " groups; it needs one line per group";
  return *std::move(table);
}

bool isTrained(ModuleOp module) {
  return llvm::any_of(module.getOps<mlir::func::FuncOp>(), [](auto function) {
    return function->hasAttr(nn::kOptimizerAttrName);
  });
}

struct ScheduleStages
    : CheckedPass<ScheduleStages, impl::ScheduleStagesBase<ScheduleStages>,
                  ScheduleStagesOptions> {
  using CheckedPass::CheckedPass;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyTensors(module))) return signalPassFailure();
    if (!isTrained(module)) return;
    FailureOr<int64_t> asked = askedMicroBatches(module, microBatches);
    if (failed(asked)) return signalPassFailure();
    askedParts_ = *asked;
    if (failed(schedule.empty() ? addUsual(module) : addNamed(module)) ||
        (execute == Execution::Messages && failed(leaveToMessages(module))))
      signalPassFailure();
  }

  static void declare(ScheduleStagesOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<ScheduleStages>();
    to.add(pass, pass->schedule, options.schedule, OptionGroup::Stages);
    to.add(pass, pass->microBatches, options.microBatches, OptionGroup::Stages);
    to.add(pass, pass->execute, options.execute, OptionGroup::Stages);
  }

 private:
  static LogicalResult leaveToMessages(ModuleOp module) {
    for (auto op : module.getOps<ScheduleOp>()) {
      op.setByMessages(true);
      return success();
    }
    return module.emitError()
           << "execute=messages needs a schedule, but there is none; a "
              "schedule needs sbp.stages whose groups share no ranks, and "
              "micro-batches";
  }

  LogicalResult addNamed(ModuleOp module) {
    StagesOp stages = stagesOf(module);
    if (!stages)
      return module.emitError()
             << "the schedule " << schedule
             << " is for stages, but the module has no sbp.stages";
    if (auto own = module.getOps<ScheduleOp>(); !own.empty())
      return (*own.begin()).emitOpError()
             << "is the module's schedule, but the option gives the schedule "
             << schedule << "; leave out one of them";
    if (!isScheduleFile(schedule)) {
      FailureOr<Table> table = tableOfFamily(stages, schedule, askedParts_);
      if (failed(table)) return failure();
      addSchedule(stages, *table, stages.getLoc());
      return success();
    }
    FailureOr<Table> table = tableOfFile(stages, schedule);
    if (failed(table)) return failure();
    addSchedule(stages, *table,
                mlir::FileLineColLoc::get(&getContext(), schedule, 1, 1));
    return success();
  }

  /// Adds the schedule of the family "list" if the program has stages and
  /// several micro-batches, but no schedule.
  LogicalResult addUsual(ModuleOp module) {
    StagesOp stages = stagesOf(module);
    if (!stages || askedParts_ <= 1 || !module.getOps<ScheduleOp>().empty())
      return success();
    if (absl::Status disjoint = checkGroupsAreDisjoint(stages);
        !disjoint.ok()) {
      stages.emitRemark() << "micro-batches run one after another, without a "
                          << "schedule: the program " << textOf(disjoint);
      return success();
    }
    FailureOr<Table> table = tableOfFamily(stages, "list", askedParts_);
    if (failed(table)) return failure();
    addSchedule(stages, *table, stages.getLoc());
    return success();
  }

  int64_t askedParts_ = 0;  // micro-batches that the option or the model wants
};

}  // namespace

void declareOptions(ScheduleStagesOptions& options, OptionDeclarer& to) {
  ScheduleStages::declare(options, to);
}

}  // namespace sbp
