// A searched plan for a program in stages: each group's part by itself.

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

/// The plans that are searched for what each group of `stages` does of `module`
/// (GroupProgram.h), joined. What no group does alone is not in it. Says by a
/// remark what is not proven to be the cheapest plan of its group; fails with a
/// diagnostic where a group's part has none.
FailureOr<Plan> searchStages(ModuleOp module, const ProgramMeshes& meshes,
                             StagesOp stages, const Device& device,
                             SearchSpace space, SearchGoal goal,
                             const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHSTAGES_H_
