// The times at which the parts of a program in stages run, by the prices of the
// machine.
//
// Ops and movements within a group cost what Pricing.h says. A tensor that
// crosses from one group to another arrives after the time of its transfer,
// during which all ranks may compute. A group runs its tasks for micro-batches
// in the order of the schedule, and all other ops in program order. It starts
// an op as soon as its ranks are done with the previous op and the operands are
// available:
//
//   @front  | 0F 0 | 0F 1 |      | 0B 0 |      | 0B 1 | update |
//   @back          | 1F 0 | 1B 0 | 1F 1 | 1B 1 | update |
//
// This determines all times of an entry, including the movements of parameters
// before the tasks and the updates after them. Links are not a limited
// resource: any number of transfers may be under way at once.

#ifndef PASSES_EXPLAIN_PIPELINEEXPLANATION_H_
#define PASSES_EXPLAIN_PIPELINEEXPLANATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/sbp/StageTask.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/explain/KernelShares.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A group of ranks that runs some stages.
struct ExplainedGroup {
  std::string name;             // name of its mesh, "front"
  std::vector<int64_t> ranks;   // by position on the mesh
  std::vector<int64_t> stages;  // stages that sbp.stages assigns to the group
};

/// A task of the pipeline: all its runs on one group.
struct ExplainedTask {
  StageTask task;
  int64_t group = 0;  // index into PipelineExplanation::groups
  int64_t runs = 0;   // runs of the task within one run of the entry
  double computing = 0, communicating = 0;  // seconds of all runs
  /// Seconds, contained in the two sums above, of the task's ops after the call
  /// of the stage's function. Such ops mostly sum gradients. Other groups do
  /// not wait for them.
  double secondsAfterCall = 0;
};

/// A tensor that crosses from one group to another.
struct ExplainedCrossing {
  /// The task that uses the tensor. nullopt if the tensor crosses outside of
  /// tasks, once per run.
  std::optional<StageTask> task;
  std::string from, to;             // group and placement, "@front [S(0)]"
  std::string tensor, place, type;  // as in ExplainedMovement
  int64_t number = 0;               // crossings within one run of the entry
  double bytes = 0, seconds = 0;    // of all crossings; bytes sent by all ranks
};

/// An interval of time in which a group does one kind of work. It may contain
/// short waits.
struct ExplainedSlice {
  int64_t group = 0;
  std::string what;         // task, "1F"; or "before", "update" or "after"
  int64_t microBatch = -1;  // -1 if the work belongs to no micro-batch
  double start = 0, end = 0;
};

/// One run of an entry.
struct ExplainedRun {
  std::string entry;
  int64_t numMicroBatches = 1;
  /// Seconds of the run. If steps overlap, seconds from the start of one step
  /// to the start of the next.
  double seconds = 0;
  /// Seconds of a single step, if steps overlap.
  std::optional<double> secondsOfOneStep = std::nullopt;
  std::vector<double> busy;  // seconds of work, by group
  std::vector<double> sent;  // bytes sent to other groups, by group
  /// Lower bound on `seconds` in any order of the tasks: the longest chain of
  /// dependent work (WorkGraph.h). 0 if steps overlap.
  double longestChain = 0;
  /// Another lower bound on `seconds`: the total work of the busiest group or,
  /// if that is larger and steps do not overlap, WorkGraph::workersBound().
  double busiestGroup = 0;
  std::vector<ExplainedTask> tasks;          // in the order of their first runs
  std::vector<ExplainedCrossing> crossings;  // in the order of their first runs
  std::vector<ExplainedSlice> slices;        // in the order of their starts

  /// Returns the larger of the two lower bounds.
  double lowerBound() const;
  /// Returns the share of `seconds`, from 0 to 1, in which the group waits.
  double bubbleOf(size_t group) const;
  /// Returns the mean over all groups of the share in which a group waits.
  double bubble() const;
};

/// The explanation of a program in stages.
struct PipelineExplanation {
  std::vector<ExplainedGroup> groups;  // the workers of the schedule
  std::vector<ExplainedRun> runs;      // one per entry
};

/// Explains `boxed`, a module in the boxed form with stages, whose tensors lie
/// on `meshes` of devices like `device`. `shares` says how much time ops save
/// in shared kernels. Fails with a diagnostic if the schedule of `boxed` is not
/// valid, or at an op that cannot be priced (Pricing.h).
FailureOr<PipelineExplanation> explainPipeline(ModuleOp boxed,
                                               const PlacedMeshes& meshes,
                                               const Device& device,
                                               const KernelShares& shares);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_PIPELINEEXPLANATION_H_
