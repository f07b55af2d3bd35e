#include "passes/placement/SearchLayers.h"

#include <algorithm>
#include <utility>

namespace sbp {
namespace {

using search::EntryCost;
using search::SearchedPlan;
using search::SearchRun;

/// Share of the time that the search with tied layers may take. It usually
/// needs much less.
constexpr double kShareOfTied = 0.5;

/// Returns the amount that a plan for `goal` minimises.
double amountOf(const EntryCost& cost, SearchGoal goal) {
  return goal == SearchGoal::Time ? cost.seconds() : cost.memory.sum();
}

/// Searches for a plan with tied layers. Drops diagnostics, since the search
/// with free layers comes afterwards.
FailureOr<SearchedPlan> searchTied(ModuleOp module, const Mesh& mesh,
                                   const Device& device, SearchSpace space,
                                   SearchGoal goal, const SearchRun& run) {
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  return search::searchPlan(module, mesh, device, space, goal, run);
}

FailureOr<SearchedPlan> searchFree(ModuleOp module, const Mesh& mesh,
                                   const Device& device, SearchSpace space,
                                   FreeLayers& copies, SearchGoal goal,
                                   const SearchRun& run) {
  FailureOr<SearchedPlan> tied =
      searchTied(module, mesh, device, space, goal, run.part(kShareOfTied));
  FailureOr<FreeLayers> copied = FreeLayers::copyPerCall(module);
  if (failed(copied)) return failure();
  copies = std::move(*copied);
  FailureOr<SearchedPlan> free =
      search::searchPlan(module, mesh, device, space, goal, run);
  if (failed(free) || failed(tied) || free->entries.empty()) return free;

  // If both plans cost the same, the tied one is better, since it has less
  // code. The tied plan may even be cheaper, if the search with free layers
  // ended early. The first entry decides. The costs of the other entries depend
  // on which of several best plans of the first entry was found.
  EntryCost& first = tied->entries.front();
  double bound = free->entries.front().lowerBound;
  if (amountOf(free->entries.front(), goal) <
      (1 - 1e-9) * amountOf(first, goal))
    return free;
  copies.addCopies(tied->plan);
  first.lowerBound = std::min(first.lowerBound, bound);
  tied->strategies = std::move(free->strategies);
  tied->endedBy = std::move(free->endedBy);
  return tied;
}

}  // namespace

FailureOr<SearchedPlan> searchLayers(ModuleOp module, const Mesh& mesh,
                                     const Device& device, SearchSpace space,
                                     LayerPlans layers, FreeLayers& copies,
                                     SearchGoal goal, const SearchRun& run) {
  FailureOr<SearchedPlan> searched =
      layers == LayerPlans::Free
          ? searchFree(module, mesh, device, space, copies, goal, run)
          : search::searchPlan(module, mesh, device, space, goal, run);
  if (succeeded(searched) && goal == SearchGoal::Time)
    search::remarkUnproven(module, *searched);
  return searched;
}

}  // namespace sbp
