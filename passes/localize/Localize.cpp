// --sbp-localize: from one program on whole tensors to the programs of ranks.

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/PlacedTypes.h"
#include "passes/boxing/Transitions.h"
#include "passes/localize/LocalProgram.h"
#include "passes/localize/Passes.h"
#include "passes/localize/RankClasses.h"

namespace sbp {

#define GEN_PASS_DEF_LOCALIZE
#include "passes/localize/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

/// How the tensors of a boxed module are cut.
Cuts cutsOf(ModuleOp module, TransitionTable& transitions) {
  Cuts cuts;
  (void)forEachTensorType(module, [&](Operation*, RankedTensorType type) {
    cuts.add(type.getShape(), NdSbpAttr::of(type).getComponents());
    return LogicalResult(success());
  });
  // A boxing may pass through placements that no type of the module has.
  module.walk([&](BoxOp box) {
    auto type = llvm::cast<RankedTensorType>(box.getResult().getType());
    Transition transition = transitions.path(
        NdSbpAttr::of(box.getInput().getType()).getComponents(),
        NdSbpAttr::of(type).getComponents(), type.getShape(),
        elementBytes(type.getElementType()));
    for (const Step& step : transition.steps)
      cuts.add(type.getShape(), step.result);
  });
  return cuts;
}

/// Removes what the rank programs replace.
void eraseWholeProgram(ModuleOp module) {
  for (Operation& op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<FuncOp, nn::ParameterOp>(op)) op.erase();
}

struct Localize : impl::LocalizeBase<Localize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module.getOps<rank::ProgramOp>().empty()) return;
    FailureOr<PlacedMesh> placed = placedMeshOf(module);
    if (failed(placed)) return signalPassFailure();
    if (!placed->name) {
      module.emitError() << "the module has no placed tensor, so it names no "
                            "mesh to run on";
      return signalPassFailure();
    }
    TransitionTable transitions(placed->mesh);

    auto classes = cutsOf(module, transitions).rankClasses(transitions.mesh());
    std::vector<mlir::OwningOpRef<rank::ProgramOp>> programs;
    for (auto [index, ranks] : llvm::enumerate(classes)) {
      std::string name = classes.size() == 1
                             ? "all"
                             : "ranks_like_" + std::to_string(ranks[0]);
      auto program =
          buildLocalProgram(module, name, placed->name, ranks, transitions);
      if (failed(program)) return signalPassFailure();
      programs.push_back(std::move(*program));
    }

    eraseWholeProgram(module);
    mlir::SymbolTable symbols(module);
    for (mlir::OwningOpRef<rank::ProgramOp>& program : programs)
      symbols.insert(program.release());
  }
};

}  // namespace
}  // namespace sbp
