// Searches a plan with layers that are tied or free to differ.

#ifndef PASSES_PLACEMENT_SEARCHLAYERS_H_
#define PASSES_PLACEMENT_SEARCHLAYERS_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/placement/FreeLayers.h"
#include "passes/placement/LayerPlans.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/program/SearchSpace.h"

namespace sbp {

/// Calls `searchPlan` for `module`, which must not have recursion. If the goal
/// is time, remarks which entries have a plan that is not proven to be the
/// cheapest.
///
/// With free layers, copies functions of `module` (FreeLayers::copyPerCall).
/// Returns the copies in `copies`, to be merged after the module is placed
/// (FreeLayers::mergeEqualCopies). A plan with tied layers is searched first.
/// If the free plan of the first entry does not cost less than the tied one,
/// returns the tied plan, for all entries. Ends soon after the deadline of
/// `run`. Fails with a diagnostic if no plan is found, or if there are too many
/// calls to copy.
FailureOr<search::SearchedPlan> searchLayers(
    ModuleOp module, const Mesh& mesh, const Device& device, SearchSpace space,
    LayerPlans layers, FreeLayers& copies, SearchGoal goal,
    const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHLAYERS_H_
