// The schedule of a program in stages as a table (passes/schedule/Table.h).
//
//   sbp.stages [@front, @back, @front]      stages 0 and 2 on worker 0,
//                                           stage 1 on worker 1
//   sbp.schedule [
//     @front "0F0,2F0,2B0,0B0",             what worker 0 does
//     @back "1F0,1B0"]                      what worker 1 does
//
// A group is a worker. Workers are numbered as sbp.stages first names them.

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

/// The groups of a program as workers of a table.
struct StageWorkers {
  SmallVector<mlir::FlatSymbolRefAttr> groups;  // by worker
  std::vector<int64_t> workerOfStage;

  int64_t numWorkers() const { return static_cast<int64_t>(groups.size()); }
  int64_t numStages() const {
    return static_cast<int64_t>(workerOfStage.size());
  }
  /// Such as "worker 1, @back".
  std::string describe(int64_t worker) const;
};

StageWorkers workersOf(StagesOp stages);

/// Fails if two groups of `stages` have a rank in common: a row says what a
/// group does, but not what a rank does first that is of two.
absl::Status checkApart(StagesOp stages);

/// Fails at what there is in tables, but not yet in programs. The text goes on
/// from what the table is called: "has 0B0<1; ...".
absl::Status checkSupported(const schedule::Table& table);

/// Fails, in the same way, unless `table` has the stages of `workers`, each on
/// its worker, and perhaps on others too. They have as many workers.
absl::Status checkStages(const schedule::Table& table,
                         const StageWorkers& workers);

/// The schedule of `module`, which can be run on its groups (Check.h): a whole
/// step, of forwards, backwards, their halves, and recomputations, of all
/// micro-batches of a stage or of none; sums of gradients and updates, if it
/// has them, at the ends of rows, or without a flush at one place of each.
/// Nothing where the module has none; fails at its sbp.schedule with what is
/// wrong.
FailureOr<std::optional<schedule::Table>> scheduleOf(ModuleOp module);

/// By stage, how many steps old the weights are that a training step of
/// `module` reads (passes/schedule/Delays.h); empty where its schedule ends
/// each step with a flush, or it has none. Fails as scheduleOf does.
FailureOr<std::vector<int64_t>> delaysOf(ModuleOp module);

/// Whether `module` has a schedule that leaves to messages what runs next.
bool isByMessages(ModuleOp module);

/// Puts `table`, of the workers of `stages`, behind it as its sbp.schedule.
ScheduleOp addSchedule(StagesOp stages, const schedule::Table& table,
                       Location loc);

/// Returns the parts into which a training step of `module` divides its batch:
/// those of its schedule; without one `asked` micro-batches, or 1 if that is 0.
/// Fails where the schedule has another number of micro-batches than is asked
/// for.
FailureOr<BatchParts> batchPartsOf(ModuleOp module, int64_t asked);

/// Marks `function`, of stage `stage`, with what differentiation has to make of
/// it for `table`: a backward in halves (sbp.split_backward) if one is, and a
/// recomputation (sbp.recompute).
void markStage(Operation* function, int64_t stage,
               const schedule::Table& table);

}  // namespace sbp

#endif  // PASSES_STAGES_SCHEDULE_H_
