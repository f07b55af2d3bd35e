// The schedule of a program in stages as a table (passes/schedule/Table.h).
//
//   sbp.stages [@front, @back, @front]      stages 0 and 2 on worker 0,
//                                           stage 1 on worker 1
//   sbp.schedule [
//     @front "0F0,2F0,2B0,0B0",             tasks of worker 0
//     @back "1F0,1B0"]                      tasks of worker 1
//
// Each group is a worker. Workers are numbered in the order in which sbp.stages
// first names their groups.

#ifndef PASSES_STAGES_SCHEDULE_H_
#define PASSES_STAGES_SCHEDULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/microbatches/BatchParts.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// The groups of a program as the workers of a table.
struct StageWorkers {
  SmallVector<mlir::FlatSymbolRefAttr> groups;  // by worker
  std::vector<int64_t> workerOfStage;

  int64_t numWorkers() const { return static_cast<int64_t>(groups.size()); }
  int64_t numStages() const {
    return static_cast<int64_t>(workerOfStage.size());
  }
  /// Returns a worker in words, such as "worker 1, @back".
  std::string describe(int64_t worker) const;
};

/// Returns the workers that `stages` names.
StageWorkers workersOf(StagesOp stages);

/// Fails if two groups of `stages` have a rank in common: the rows of their
/// workers would not say in which order this rank runs the tasks of both.
absl::Status checkGroupsAreDisjoint(StagesOp stages);

/// Fails if programs cannot run `table` because of an update or a reduction
/// that does not cover all micro-batches of a step, or because, with a flush,
/// another task follows an update in its row. The text of the error continues a
/// name of the table: "has 0U3; ...".
absl::Status checkSupported(const schedule::Table& table);

/// Fails, with an error text of the same form, if `table` does not have as many
/// stages as `workers`, or if it has a stage on other workers, but not on the
/// worker that workerOfStage gives. (Several workers may have a stage, if that
/// one is among them.) `table` and `workers` must have the same number of
/// workers.
absl::Status checkStages(const schedule::Table& table,
                         const StageWorkers& workers);

/// Returns the schedule of `module`; nullopt if the module has none. The table
/// passes `check` (passes/schedule/Check.h) and can be run on its groups. A
/// stage recomputes all micro-batches or none. A reduction or update covers all
/// micro-batches of a step. With a flush, updates are at the ends of rows;
/// without one, periodsOf() (passes/schedule/Period.h) accepts the table. Fails
/// with a diagnostic at an sbp.schedule that cannot be run.
FailureOr<std::optional<schedule::Table>> scheduleOf(ModuleOp module);

/// Returns, by stage, the age in steps of the weights that a training step of
/// `module` reads (passes/schedule/Delays.h). Empty if the module has no
/// schedule, or if its steps neither overlap nor read older weights than they
/// could. Fails as scheduleOf does.
FailureOr<std::vector<int64_t>> delaysOf(ModuleOp module);

/// Whether `module` has a schedule whose ranks run whichever task has its
/// messages (sbp.schedule, by_messages).
bool isByMessages(ModuleOp module);

/// Adds an sbp.schedule of `table`, which is for the workers of `stages`, right
/// after `stages`.
ScheduleOp addSchedule(StagesOp stages, const schedule::Table& table,
                       Location loc);

/// Returns the parts into which a training step of `module` divides its batch:
/// those of its schedule; without a schedule, `asked` micro-batches, or 1 if
/// `asked` is 0. Fails as scheduleOf does, or if `asked` is neither 0 nor the
/// schedule's number of micro-batches.
FailureOr<BatchParts> batchPartsOf(ModuleOp module, int64_t asked);

/// Marks `function`, which is the function of stage `stage`, for
/// differentiation: with sbp.split_backward if `table` has its backward in
/// halves, and with sbp.recompute if `table` recomputes it. Otherwise removes
/// these marks.
void markStage(Operation* function, int64_t stage,
               const schedule::Table& table);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULE_H_
