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

/// Returns the workers that `stages` lists.
StageWorkers workersOf(StagesOp stages);

/// Fails if two groups of `stages` have a rank in common. The rows of the two
/// workers would not say in which order such a rank runs the tasks of both.
absl::Status checkGroupsAreDisjoint(StagesOp stages);

/// Fails if programs cannot run `table`. An update or a reduction must cover
/// all micro-batches of a step. With a flush, no other task may follow an
/// update in its row. The text of the error is the rest of a sentence that
/// begins with a name of the table: "has 0U3; ...".
absl::Status checkSupported(const schedule::Table& table);

/// Fails if `table` has another number of stages than `workers`, or if it never
/// runs a stage on the worker that `workers.workerOfStage` gives it. The error
/// has the form of that of checkSupported(). `table` and `workers` must have
/// the same number of workers.
absl::Status checkStages(const schedule::Table& table,
                         const StageWorkers& workers);

/// Returns the schedule of `module`; nullopt if the module has none. Fails with
/// a diagnostic at an sbp.schedule that cannot be run. A table that is returned
///
/// - passes `check` (passes/schedule/Check.h), and can be run on its groups;
/// - recomputes a stage for all micro-batches or for none;
/// - has reductions and updates that cover all micro-batches of a step;
/// - has updates at the ends of rows, if it has a flush; if not, it is accepted
///   by periodsOf() (passes/schedule/Period.h).
FailureOr<std::optional<schedule::Table>> scheduleOf(ModuleOp module);

/// Returns, for each stage, the age in steps of the weights that a training
/// step of `module` reads (passes/schedule/Delays.h). Returns an empty list if
/// the module has no schedule, or if the schedule is not asynchronous
/// (schedule::isAsynchronous). Fails as scheduleOf() does.
FailureOr<std::vector<int64_t>> delaysOf(ModuleOp module);

/// Whether `module` has a schedule in which ranks run any task whose messages
/// have arrived (sbp.schedule, by_messages).
bool isByMessages(ModuleOp module);

/// Adds an sbp.schedule of `table` directly after `stages`. The workers of
/// `table` must be those of `stages`.
ScheduleOp addSchedule(StagesOp stages, const schedule::Table& table,
                       Location loc);

/// Returns the parts into which a training step of `module` divides its batch.
/// These are the parts of the schedule or, if there is no schedule, the number
/// of micro-batches that `option` and the trained entry ask for
/// (askedMicroBatches). If that is 0, the default is 1. Fails as scheduleOf()
/// does, or if the numbers differ.
FailureOr<BatchParts> batchPartsOf(ModuleOp module, int64_t option);

/// Marks `function`, the function of stage `stage`, for differentiation. Sets
/// sbp.split_backward if `table` has backwards of the stage in halves,
/// otherwise removes it. Sets sbp.keep to inputs if `table` recomputes the
/// stage and `function` has no sbp.keep. Fails with a diagnostic at `function`
/// if it keeps all values although `table` recomputes the stage, or fewer
/// although `table` does not.
LogicalResult markStage(Operation* function, int64_t stage,
                        const schedule::Table& table);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULE_H_
