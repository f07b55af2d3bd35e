// A searched plan, with layers that are tied or free to differ.

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

/// `searchPlan` of `module`, whose calls do not recur; where time is the goal,
/// says by a remark what is not proven to be the cheapest plan. With layers
/// that are free, `module` gets copies of them, `copies`, to be joined again
/// when it has been placed. The plan for the first entry is then no dearer than
/// with layers that are tied; where it is no cheaper, it is that for all
/// entries. Ends soon after `run` is over.
FailureOr<search::SearchedPlan> searchLayers(
    ModuleOp module, const Mesh& mesh, const Device& device, SearchSpace space,
    LayerPlans layers, FreeLayers& copies, SearchGoal goal,
    const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_SEARCHLAYERS_H_
