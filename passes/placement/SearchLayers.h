// Searches for a plan with layers whose calls are placed alike or differently.

#ifndef PASSES_PLACEMENT_SEARCHLAYERS_H_
#define PASSES_PLACEMENT_SEARCHLAYERS_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/placement/FreeLayers.h"
#include "passes/placement/LayerPlans.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/strategies/SearchSpace.h"

namespace sbp {

/// Returns a plan for `module` by search::searchPlan. `module` must not have
/// recursion. If `goal` is time, emits a remark that names the entries whose
/// plan is not proven to be the cheapest.
///
/// With free layers, first searches for a plan with tied layers. Then copies
/// functions of `module` (FreeLayers::copyPerCall), stores the copies in
/// `copies`, and searches for a free plan. The caller must merge the copies
/// after the module is placed (FreeLayers::mergeEqualCopies). If the free plan
/// of the first entry does not cost less than the tied one, returns the tied
/// plan, for all entries.
///
/// Ends soon after the deadline of `run`. Fails with a diagnostic if no plan is
/// found, or if there are too many calls to copy.
FailureOr<search::SearchedPlan> searchLayers(
    ModuleOp module, const Mesh& mesh, const Device& device, SearchSpace space,
    LayerPlans layers, FreeLayers& copies, SearchGoal goal,
    const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHLAYERS_H_
