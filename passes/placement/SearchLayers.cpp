#include "passes/placement/SearchLayers.h"

#include <utility>

namespace sbp {
namespace {

using search::EntryCost;
using search::SearchedPlan;

/// The tied plan, if there is one; another is still to be found, so it is
/// nobody's concern if not.
FailureOr<SearchedPlan> searchTied(ModuleOp module, const Mesh& mesh,
                                   const Device& device, SearchSpace space) {
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  return search::searchPlan(module, mesh, device, space);
}

/// Whether `a` is cheaper than `b` for the first entry for which they differ by
/// more than rounding: entries before bind those after them.
bool isCheaper(const SearchedPlan& a, const SearchedPlan& b) {
  for (auto [x, y] : llvm::zip(a.entries, b.entries)) {
    double left = x.computing + x.communicating;
    double right = y.computing + y.communicating;
    if (left < right * (1 - 1e-9)) return true;
    if (right < left * (1 - 1e-9)) return false;
  }
  return false;
}

}  // namespace

FailureOr<SearchedPlan> searchLayers(ModuleOp module, const Mesh& mesh,
                                     const Device& device, SearchSpace space,
                                     LayerPlans layers, FreeLayers& copies) {
  if (layers == LayerPlans::Tied)
    return search::searchPlan(module, mesh, device, space);
  FailureOr<SearchedPlan> tied = searchTied(module, mesh, device, space);
  FailureOr<FreeLayers> copied = FreeLayers::copyPerCall(module);
  if (failed(copied)) return failure();
  copies = std::move(*copied);
  FailureOr<SearchedPlan> free =
      search::searchPlan(module, mesh, device, space);
  if (failed(free) || failed(tied) || isCheaper(*free, *tied)) return free;

  // Of plans that cost the same, the one with the least code; and where the
  // search of so many decisions proves nothing, it may be the better one.
  copies.addCopies(tied->plan);
  // What was found out of the first entry holds for all plans. That of others
  // depends on what was decided before them.
  tied->entries.front().lowerBound = free->entries.front().lowerBound;
  return tied;
}

}  // namespace sbp
