// Searches a plan for a program in stages: each group's part separately.

#ifndef PASSES_PLACEMENT_SEARCHSTAGES_H_
#define PASSES_PLACEMENT_SEARCHSTAGES_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/program/SearchSpace.h"
#include "passes/stages/Stages.h"

namespace sbp {

/// Searches a plan for the part of `module` that each group of `stages` runs
/// (GroupProgram.h), and joins these plans. The result has no placements for
/// what lies on the whole machine. If the goal is time, remarks which groups
/// have a plan that is not proven to be the cheapest. The groups share the time
/// of `run`. Fails with a diagnostic if no plan is found for a group.
FailureOr<Plan> searchStages(ModuleOp module, const ProgramMeshes& meshes,
                             StagesOp stages, const Device& device,
                             SearchSpace space, SearchGoal goal,
                             const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHSTAGES_H_
