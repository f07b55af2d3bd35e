// --sbp-localize: turns one program on whole tensors into the programs of
// ranks.

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/localize/LocalProgram.h"
#include "passes/localize/Passes.h"
#include "passes/localize/RankClasses.h"
#include "passes/module/PlacedTypes.h"
#include "passes/module/VerifyTensors.h"
#include "passes/names/Names.h"
#include "passes/names/Spelling.h"

namespace sbp {

#define GEN_PASS_DEF_LOCALIZE
#include "passes/localize/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

/// Returns, for each mesh, the cuts of the tensors of a boxed module.
std::vector<CutsOnMesh> cutsOf(ModuleOp module, const PlacedMeshes& meshes,
                               const GroupTransitions& transitions) {
  std::vector<CutsOnMesh> all;
  llvm::StringMap<size_t> numbers;
  for (const auto& [name, mesh] : meshes.byName) {
    numbers[name] = all.size();
    all.push_back({&mesh, {}});
  }
  auto add = [&](mlir::FlatSymbolRefAttr mesh, ArrayRef<int64_t> shape,
                 ArrayRef<Component> placement) {
    all[numbers.lookup(mesh.getValue())].cuts.add(shape, placement);
  };
  (void)forEachTensorType(module, [&](Operation*, RankedTensorType type) {
    NdSbpAttr placement = NdSbpAttr::of(type);
    add(placement.getMesh(), type.getShape(), placement.getComponents());
    return LogicalResult(success());
  });
  // A boxing may pass through placements that no type in the module has.
  module.walk([&](BoxOp box) {
    if (box.crosses()) return;
    auto type = llvm::cast<RankedTensorType>(box.getResult().getType());
    NdSbpAttr target = NdSbpAttr::of(type);
    for (const SizedStep& sized : transitions.steps(box))
      add(target.getMesh(), type.getShape(), sized.step.result);
  });
  return all;
}

/// Returns the location of the op that made the tensor which `box` moves.
Location makerOf(BoxOp box) {
  Value made = box.getInput();
  while (auto before = made.getDefiningOp<BoxOp>()) made = before.getInput();
  return locationOf(made);
}

/// Declares a transfer in `module` for each tensor that crosses from one group
/// to another. The transfer is named after the tensor.
Transfers declareTransfers(ModuleOp module, const GroupTransitions& transitions,
                           const StageTasks& tasks) {
  Transfers transfers;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  mlir::SymbolTable symbols(module);
  module.walk([&](BoxOp box) {
    if (!box.crosses()) return;
    auto from = llvm::cast<RankedTensorType>(box.getInput().getType());
    auto to = llvm::cast<RankedTensorType>(box.getResult().getType());
    if (transitions.needsNoMove(NdSbpAttr::of(from), NdSbpAttr::of(to),
                                to.getShape()))
      return;
    const Location maker = makerOf(box);
    std::string name = spelled(nameIn(maker));
    if (name.empty()) name = "transfer";
    auto transfer = rank::TransferOp::create(builder, maker, name, from, to);
    if (std::optional<StageTask> task = tasks.of(box))
      transfer->setAttr(rank::kTaskAttrName,
                        TaskAttr::get(module.getContext(), *task));
    transfers[box] = mlir::FlatSymbolRefAttr::get(symbols.insert(transfer));
  });
  return transfers;
}

/// Erases the functions and parameters that the rank programs replace.
void eraseWholeProgram(ModuleOp module) {
  for (Operation& op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<FuncOp, nn::ParameterOp>(op)) op.erase();
}

struct Localize : impl::LocalizeBase<Localize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module.getOps<rank::ProgramOp>().empty()) return;
    if (failed(verifyTensors(module)) || failed(verifyAllPlaced(module)))
      return signalPassFailure();
    FailureOr<PlacedMeshes> placed = placedMeshesOf(module);
    if (failed(placed)) return signalPassFailure();
    if (!placed->all) {
      module.emitError() << "the module has no placed tensor, so it names no "
                            "mesh to run on";
      return signalPassFailure();
    }
    GroupTransitions transitions(*placed);

    auto classes = rankClasses(placed->machine.numRanks(),
                               cutsOf(module, *placed, transitions));
    StageTasks tasks(module);
    Transfers transfers = declareTransfers(module, transitions, tasks);
    std::vector<mlir::OwningOpRef<rank::ProgramOp>> programs;
    for (auto [index, ranks] : llvm::enumerate(classes)) {
      std::string name = classes.size() == 1
                             ? "all"
                             : "ranks_like_" + std::to_string(ranks[0]);
      auto program = buildLocalProgram(module, name, placed->all, ranks,
                                       transitions, tasks, transfers);
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
