// The facts of a planned program that are worth comparing with another one: its
// pipeline, its placements, and what a training step takes.
//
// All facts are read off the boxed form, so they do not depend on how the plan
// was made or in which form it was kept.

#ifndef CODEGEN_DRIVER_PLANNEDPROGRAM_H_
#define CODEGEN_DRIVER_PLANNEDPROGRAM_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/driver/ArenaUse.h"
#include "codegen/plan/KernelTarget.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/decisions/Memory.h"

namespace sbp {

/// A group of ranks. A program without stages has one group of all ranks.
struct PlannedGroup {
  std::string name;              // empty without stages
  std::vector<int64_t> ranks;    // in the order of the group's mesh
  std::vector<int64_t> extents;  // of the mesh's axes
  double busy = 0;               // seconds of work in a step
  double bytes = 0;              // at the peak, of the rank that needs most

  bool isAlike(const PlannedGroup& other) const {
    return ranks == other.ranks && extents == other.extents;
  }
};

/// A stage of the entry that is compared.
struct PlannedStage {
  std::string group;
  int64_t units = 0;  // calls of layers, and ops outside of them
  /// Calls by layer, in the order of the first calls, and "op" for the ops.
  std::vector<std::pair<std::string, int64_t>> calls;
};

/// The time of a step, in seconds per rank, in the mean over all ranks.
struct PlannedTime {
  double computing = 0, communicating = 0;  // in tasks, if there are stages
  double other = 0;  // work outside of tasks: update, transfers of parameters
  double idle = 0;   // waiting for other groups
};

/// Placements of one tensor: of the copies of its layer, each once.
using Placements = std::set<std::string>;

/// A program with its plan.
struct PlannedProgram {
  std::string path;
  std::vector<PlannedGroup> groups;
  std::vector<PlannedStage> stages;  // empty without stages
  int64_t microBatches = 1;
  /// The family of schedules that has the program's table; "a table of its own"
  /// if no family has it, "none" without a schedule.
  std::string schedule = "none";
  std::vector<std::string> rows;        // of the schedule, by group
  std::vector<std::string> recomputed;  // layers that are computed again
  std::map<std::string, Placements> parameters;  // and optimiser state
  /// Tensors inside functions, by layer and name.
  std::map<std::pair<std::string, std::string>, Placements> tensors;

  std::string entry;   // that takes longest
  double seconds = 0;  // of a run of the entry, or from one step to the next
  PlannedTime time;
  double sent = 0;            // bytes sent between groups in a step
  bool hasMemory = false;     // whether buffers could be laid out
  search::MemoryParts parts;  // at the peak of the rank that needs most
};

/// Returns the facts of `boxed`, a module in the boxed form, for devices like
/// `device`; buffers are laid out for the kernels of `kernels`. Fails with a
/// diagnostic if the program cannot be priced.
FailureOr<PlannedProgram> plannedProgramOf(ModuleOp boxed, const Device& device,
                                           const KernelTarget& kernels);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLANNEDPROGRAM_H_
