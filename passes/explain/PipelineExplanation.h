// When each part of a program in stages runs, by the prices of the machine.
//
// Ops and movements within a group cost what Pricing.h says. A tensor that
// crosses from one group to another arrives after the time of its transfer;
// meanwhile all ranks may go on computing. A rank runs its program in order,
// but the tasks that are repeated for micro-batches in the order of the
// schedule. It starts an op as soon as the previous op is done and the operands
// are available:
//
//   @front  | 0F 0 | 0F 1 |      | 0B 0 |      | 0B 1 | update |
//   @back          | 1F 0 | 1B 0 | 1F 1 | 1B 1 | update |
//
// This determines all times of an entry, including its first movements of
// parameters and its updates. Links are not a limited resource: any number of
// transfers may be under way at once.

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
  int64_t group = 0;   // index into PipelineExplanation::groups
  int64_t number = 0;  // runs within one run of the entry
  double computing = 0, communicating = 0;  // seconds of all runs
  /// Seconds, part of the above, of ops after the call of the stage's function:
  /// mostly sums of gradients, for which other groups do not wait.
  double behind = 0;
};

/// A tensor that crosses from one group to another.
struct ExplainedCrossing {
  /// Task that uses the tensor; nothing if the tensor crosses once per run.
  std::optional<StageTask> task;
  std::string from, to;  // group and placement, "@front [S(0)]"
  std::string tensor, place, type;
  int64_t number = 0;             // crossings within one run of the entry
  double bytes = 0, seconds = 0;  // of all crossings; bytes sent by all ranks
};

/// An interval of time in which a group does one kind of work.
struct ExplainedSlice {
  int64_t group = 0;
  std::string what;         // task, "1F"; or "before", "update" or "after"
  int64_t microBatch = -1;  // -1 if the work belongs to none
  double start = 0, end = 0;
};

/// One run of an entry.
struct ExplainedRun {
  std::string entry;
  int64_t numMicroBatches = 1;
  /// Seconds of the run; if steps overlap, from one step to the next.
  double seconds = 0;
  /// Seconds of a single step, if steps overlap.
  std::optional<double> secondsOfOneStep = std::nullopt;
  std::vector<double> busy;  // seconds of work, by group
  std::vector<double> sent;  // bytes sent to other groups, by group
  /// Lower bounds of the run's seconds in any order of the tasks (WorkGraph.h).
  double longestChain = 0;  // seconds of the longest chain of dependent work
  /// For the busiest group, the larger of two sums: all its work, or the total
  /// time of its tasks, the least time before them and the least time after.
  double busiestGroup = 0;
  std::vector<ExplainedTask> tasks;          // in the order of their first runs
  std::vector<ExplainedCrossing> crossings;  // in program order
  std::vector<ExplainedSlice> slices;        // in the order of their starts

  double lowerBound() const;
  /// Returns the share of `seconds` in which the group waits.
  double bubbleOf(size_t group) const;
  /// Returns the mean over all groups of the share in which a group waits.
  double bubble() const;
};

struct PipelineExplanation {
  std::vector<ExplainedGroup> groups;  // the workers of the schedule
  std::vector<ExplainedRun> runs;      // one per entry
};

/// Explains `boxed`, a module in the boxed form with stages, whose tensors lie
/// on `meshes` of devices like `device`. Fails with a diagnostic if its
/// schedule cannot be run.
FailureOr<PipelineExplanation> explainPipeline(ModuleOp boxed,
                                               const PlacedMeshes& meshes,
                                               const Device& device);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_PIPELINEEXPLANATION_H_
