#include "passes/placement/SearchStages.h"

#include <optional>

#include "llvm/ADT/SetVector.h"
#include "passes/placement/GroupProgram.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/stages/InFlight.h"
#include "passes/stages/Schedule.h"

namespace sbp {

namespace {

/// Fraction of its time by which a group's plan may be slower than the best
/// one. A pipeline waits for its busiest group, so a proof for each group is
/// worth little, and takes most of the time where memory is short.
constexpr double kGapOfGroup = 0.005;

}  // namespace

FailureOr<Plan> searchStages(ModuleOp module, const ProgramMeshes& meshes,
                             StagesOp stages, const Device& device,
                             SearchSpace space, SearchGoal goal,
                             const search::SearchRun& run) {
  llvm::SetVector<Attribute> groups(stages.getGroups().begin(),
                                    stages.getGroups().end());
  FailureOr<std::optional<schedule::Table>> schedule = scheduleOf(module);
  if (failed(schedule)) return failure();
  Plan whole;
  for (auto [index, attribute] : llvm::enumerate(groups)) {
    auto group = llvm::cast<ProgramMeshes::Name>(attribute);
    GroupProgram own(module, meshes, group);
    if (*schedule) markInFlight(own.module(), group, stages, **schedule);
    double share = 1.0 / static_cast<double>(groups.size() - index);
    FailureOr<search::SearchedPlan> searched =
        search::searchPlan(own.module(), meshes.mesh(group), device, space,
                           goal, run.part(share).withGap(kGapOfGroup));
    if (failed(searched)) return failure();
    if (goal == SearchGoal::Time)
      search::remarkUnproven(own.module(), *searched, kGapOfGroup);
    own.addTo(whole, searched->plan);
  }
  return whole;
}

}  // namespace sbp
