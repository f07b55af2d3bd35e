// --sbp-place: pins, completed by propagation or by search. See Passes.td.

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/module/VerifyTensors.h"
#include "passes/options/CheckedPass.h"
#include "passes/placement/DivideLevels.h"
#include "passes/placement/FreeLayers.h"
#include "passes/placement/Passes.h"
#include "passes/placement/PlaceStages.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/SearchLayers.h"
#include "passes/placement/SearchStages.h"
#include "passes/placement/StageMeshes.h"
#include "passes/placement/Target.h"
#include "passes/placement/VerifySignatures.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/plan/Placeable.h"
#include "passes/plan/Placer.h"
#include "passes/plan/Plan.h"

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

struct Place : CheckedPass<Place, impl::PlaceBase<Place>, PlaceOptions> {
  using CheckedPass::CheckedPass;

  LogicalResult place(ModuleOp module, const Target& target) {
    ProgramMeshes meshes(target.name, target.mesh);
    StagesOp stages = stagesOf(module);
    if (stages) {
      FailureOr<ProgramMeshes> ofStages = meshesOfStages(module, stages);
      if (failed(ofStages)) return failure();
      meshes = std::move(*ofStages);
    }
    if (failed(verifyPlaceable(module, meshes)) ||
        failed(verifySignatures(module)))
      return failure();
    FreeLayers copies;
    if (stages && !mesh.empty())
      return stages.emitOpError()
             << "states the groups of ranks that run the program, so that it "
                "cannot be placed on --mesh "
             << mesh;
    if (stages && layers == LayerPlans::Free)
      return stages.emitOpError()
             << "cuts the program into stages, and within a stage all calls of "
                "a layer are placed alike; --layers free is for programs "
                "without stages";
    LogicalResult placed =
        stages ? placeStages(module, target, meshes, stages)
        : placeBy == PlaceBy::Propagation
            ? placeByPropagation(module, target, meshes, copies)
            : placeBySearch(module, target, meshes, copies);
    if (succeeded(placed)) copies.mergeEqualCopies();
    return placed;
  }

  LogicalResult placeByPropagation(ModuleOp module, const Target& target,
                                   const ProgramMeshes& meshes,
                                   FreeLayers& copies) {
    if (layers == LayerPlans::Free) {
      FailureOr<FreeLayers> copied = FreeLayers::copyPerCall(module);
      if (failed(copied)) return failure();
      copies = std::move(*copied);
    }
    Propagation propagation(target.mesh,
                            /*splitsInputs=*/!hasPin(module));
    return placeModule(module, meshes, propagation);
  }

  Device deviceOf(ModuleOp module, const Target& target) {
    Device device = target.deviceOrAssumed(module);
    if (memory > 0) device.memoryBytes = memory;
    return device;
  }

  LogicalResult placeBySearch(ModuleOp module, const Target& target,
                              const ProgramMeshes& meshes, FreeLayers& copies) {
    Device device = deviceOf(module, target);
    WatchedSearch watched(&getContext(), searchSeconds, searchMemory);
    FailureOr<search::SearchedPlan> searched =
        searchLayers(module, target.mesh, device, space, layers, copies, goal,
                     watched.run());
    if (failed(searched)) return failure();
    Planned planned(searched->plan);
    return placeModule(module, meshes, planned);
  }

  LogicalResult placeStages(ModuleOp module, const Target& target,
                            const ProgramMeshes& meshes, StagesOp stages) {
    if (placeBy == PlaceBy::Propagation) {
      bool splitsInputs = !hasPin(module);
      PlaceStages apart(meshes, stages, [&](ProgramMeshes::Name group) {
        return std::make_unique<Propagation>(meshes.mesh(group), splitsInputs);
      });
      return placeModule(module, meshes, apart);
    }
    Device device = deviceOf(module, target);
    WatchedSearch watched(&getContext(), searchSeconds, searchMemory);
    FailureOr<Plan> plan = searchStages(module, meshes, stages, device, space,
                                        goal, watched.run());
    if (failed(plan)) return failure();
    PlaceStages planned(meshes, stages, [&](ProgramMeshes::Name) {
      return std::make_unique<Planned>(*plan);
    });
    return placeModule(module, meshes, planned);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyTensors(module))) return signalPassFailure();
    // A program that is placed, or split over ranks, stays as it is.
    if (hasPlacedFunction(module) || module.getOps<FuncOp>().empty()) return;
    if (divideLevels && failed(sbp::divideLevels(module)))
      return signalPassFailure();
    FailureOr<Target> target = chooseTarget(module, mesh);
    if (failed(target) || failed(place(module, *target))) signalPassFailure();
  }

  static void declare(PlaceOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<Place>();
    to.add(pass, pass->mesh, options.mesh);
    to.add(pass, pass->placeBy, options.placeBy);
    to.add(pass, pass->divideLevels, options.divideLevels);
    to.add(pass, pass->space, options.space);
    to.add(pass, pass->layers, options.layers);
    to.add(pass, pass->memory, options.memory);
    to.add(pass, pass->searchSeconds, options.searchSeconds);
    to.add(pass, pass->searchMemory, options.searchMemory);
    to.add(pass, pass->goal, options.goal);
  }
};

}  // namespace

void declareOptions(PlaceOptions& options, OptionDeclarer& to) {
  Place::declare(options, to);
}

}  // namespace sbp
