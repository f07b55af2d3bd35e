#include "passes/placement/SearchLayers.h"

#include <algorithm>
#include <utility>

namespace sbp {
namespace {

using search::EntryCost;
using search::SearchedPlan;
using search::SearchRun;

/// Which part of the time the search with tied layers may take: mostly it needs
/// very little.
constexpr double kShareOfTied = 0.5;

/// What is little of a plan that serves `goal`.
double amountOf(const EntryCost& cost, SearchGoal goal) {
  return goal == SearchGoal::Time ? cost.seconds() : cost.memory.sum();
}

/// The tied plan, if there is one; another is still to be found, so it is
/// nobody's concern if not.
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

  // Of plans that cost the same, the one with the least code; and where the
  // search of so many decisions proves nothing, it may be the better one. The
  // first entry decides: what others take depends on which of several best
  // plans it has.
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
