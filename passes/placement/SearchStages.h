// Searches for a plan of a program that is divided into stages, separately for
// each group.

#ifndef PASSES_PLACEMENT_SEARCHSTAGES_H_
#define PASSES_PLACEMENT_SEARCHSTAGES_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/run/SearchRun.h"
#include "passes/search/strategies/SearchSpace.h"
#include "passes/stages/Stages.h"

namespace sbp {

/// For each group of `stages`, searches for a plan of the part of `module` that
/// the group runs (GroupProgram.h), with the memory of the micro-batches that
/// the group has in flight. Returns the union of these plans. The result has no
/// placements for tensors that lie on the whole machine and not on a group. If
/// `goal` is time, a plan may take half a percent longer than the best one of
/// its group; emits a remark for each group that is searched and whose plan is
/// not proven to be that good. Groups that run equal programs
/// (AlikePrograms.h) may share a plan, which costs another half percent. The
/// groups share the time of `run`. Fails with a diagnostic if no plan
/// is found for a group.
FailureOr<Plan> searchStages(ModuleOp module, const ProgramMeshes& meshes,
                             StagesOp stages, const Device& device,
                             SearchSpace space, SearchGoal goal,
                             const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHSTAGES_H_
