// When each part of a program in stages runs, by the prices of the machine.
//
// Ops and movements within a group cost what Pricing.h says; what crosses from
// one group to another arrives so much later than it was made, and keeps nobody
// from computing meanwhile. A rank does what its program does, in its order: of
// what is repeated for micro-batches, the tasks of its group as the schedule
// has them. It starts each op as soon as it has done the one before and has
// what the op takes:
//
//   @front  | 0F 0 | 0F 1 |      | 0B 0 |      | 0B 1 | update |
//   @back          | 1F 0 | 1B 0 | 1F 1 | 1B 1 | update |
//
// So all times follow: of an entry whole, its first movements of parameters and
// its updates included. Links are not a resource: as many transfers as want to
// be are under way.

#ifndef PASSES_EXPLAIN_PIPELINEEXPLANATION_H_
#define PASSES_EXPLAIN_PIPELINEEXPLANATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A group of ranks, which runs some stages.
struct ExplainedGroup {
  std::string name;             // "front"
  std::vector<int64_t> ranks;   // in the order of its places
  std::vector<int64_t> stages;  // that sbp.stages says are its own
};

/// A task of the pipeline, all of its runs on one group.
struct ExplainedTask {
  std::string name;    // "1F", the forward of stage 1
  int64_t group = 0;   // an index into PipelineExplanation::groups
  int64_t number = 0;  // of runs, in one run of the entry
  double computing = 0, communicating = 0;  // seconds, of all of them
  /// Of these, what comes behind the stage's function: mostly sums of
  /// gradients, for which other groups do not wait.
  double behind = 0;
};

/// A tensor that crosses from one group to another.
struct ExplainedCrossing {
  std::string task;      // that takes it, "1F"; empty: none, once per run
  std::string from, to;  // "@front [S(0)]"
  std::string tensor, place, type;
  int64_t number = 0;             // in one run of the entry
  double bytes = 0, seconds = 0;  // of all of them; bytes of all ranks
};

/// What a group does for some time.
struct ExplainedSlice {
  int64_t group = 0;
  std::string what;         // "1F"; "before", "update" or "after"
  int64_t microBatch = -1;  // -1: of none
  double start = 0, end = 0;
};

struct ExplainedRun {
  std::string entry;
  int64_t numMicroBatches = 1;
  double seconds = 0;  // where steps overlap, from one to the next
  std::optional<double> secondsOfOneStep = std::nullopt;  // that is by itself
  std::vector<double> busy;                               // by group, seconds
  std::vector<double> sent;  // by group, bytes to other groups
  /// No order of what the groups do is faster (WorkGraph.h): so long takes the
  /// longest chain of what waits for one another; and the busiest group, its
  /// tasks with what comes before and behind them at least, or all that it
  /// does.
  double longestChain = 0;
  double busiestGroup = 0;
  std::vector<ExplainedTask> tasks;          // in the order of their first runs
  std::vector<ExplainedCrossing> crossings;  // in the order of the program
  std::vector<ExplainedSlice> slices;        // in the order in which they start

  double lowerBound() const;
  double bubbleOf(size_t group) const;  // the share of `seconds` that it waits
  double bubble() const;                // the mean over groups
};

struct PipelineExplanation {
  std::vector<ExplainedGroup> groups;  // the workers of a schedule
  std::vector<ExplainedRun> runs;      // of all entries
};

/// Explains `boxed`, a module in the boxed form with stages whose tensors lie
/// on `meshes`, of devices like `device`. Fails with a diagnostic at a schedule
/// that cannot be run.
FailureOr<PipelineExplanation> explainPipeline(ModuleOp boxed,
                                               const PlacedMeshes& meshes,
                                               const Device& device);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_PIPELINEEXPLANATION_H_
