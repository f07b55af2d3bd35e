// --sbp-place: pins, completed by propagation or by search. See Passes.td.

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/placement/DivideLevels.h"
#include "passes/placement/FreeLayers.h"
#include "passes/placement/Passes.h"
#include "passes/placement/Placeable.h"
#include "passes/placement/Placer.h"
#include "passes/placement/Plan.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/SearchLayers.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"

namespace sbp {

#define GEN_PASS_DEF_PLACE
#include "passes/placement/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

bool hasPlacedFunction(ModuleOp module) {
  for (auto function : module.getOps<FuncOp>())
    for (mlir::Block& block : function.getBody())
      for (Operation& op : block)
        for (Type type : op.getResultTypes())
          if (NdSbpAttr::of(type)) return true;
  return false;
}

struct Place : impl::PlaceBase<Place> {
  using PlaceBase::PlaceBase;

  LogicalResult place(ModuleOp module, const Target& target) {
    if (failed(verifyPlaceable(module, target.name, target.mesh)))
      return failure();
    FreeLayers copies;
    LogicalResult placed = by == PlaceBy::Search
                               ? placeBySearch(module, target, copies)
                               : placeByPropagation(module, target, copies);
    if (succeeded(placed)) copies.joinAlike();
    return placed;
  }

  LogicalResult placeByPropagation(ModuleOp module, const Target& target,
                                   FreeLayers& copies) {
    if (layers == LayerPlans::Free) {
      FailureOr<FreeLayers> copied = FreeLayers::copyPerCall(module);
      if (failed(copied)) return failure();
      copies = std::move(*copied);
    }
    Propagation propagation(target.mesh,
                            /*splitsInputs=*/!hasPin(module));
    return placeModule(module, target.name, target.mesh, propagation);
  }

  LogicalResult placeBySearch(ModuleOp module, const Target& target,
                              FreeLayers& copies) {
    Device device = target.deviceOrAssumed(module);
    if (memory > 0) device.memoryBytes = memory;
    WatchedSearch watched(&getContext(), searchSeconds, searchMemory);
    FailureOr<search::SearchedPlan> searched =
        searchLayers(module, target.mesh, device, space, layers, copies, goal,
                     watched.run());
    if (failed(searched)) return failure();
    Planned planned(searched->plan);
    return placeModule(module, target.name, target.mesh, planned);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A program that is placed, or split over ranks, stays as it is.
    if (hasPlacedFunction(module) || module.getOps<FuncOp>().empty()) return;
    if (divide && failed(divideLevels(module))) return signalPassFailure();
    FailureOr<Target> target = chooseTarget(module, mesh);
    if (failed(target) || failed(place(module, *target))) signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
