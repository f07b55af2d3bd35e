#include "passes/stages/Stages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

StagesOp stagesOf(ModuleOp module) {
  auto all = module.getOps<StagesOp>();
  return all.empty() ? StagesOp() : *all.begin();
}

std::optional<int64_t> stageOf(Operation* op) {
  auto stage = op->getAttrOfType<mlir::IntegerAttr>(kStageAttrName);
  if (!stage) return std::nullopt;
  return stage.getInt();
}

bool isSource(Operation* op) {
  return op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && !llvm::isa<mlir::func::CallOp>(op);
}

mlir::FlatSymbolRefAttr groupOf(StagesOp stages, int64_t stage) {
  return llvm::cast<mlir::FlatSymbolRefAttr>(stages.getGroups()[stage]);
}

mlir::FlatSymbolRefAttr groupOf(StagesOp stages, mlir::func::FuncOp function) {
  auto group = function->getAttrOfType<mlir::FlatSymbolRefAttr>(kGroupAttrName);
  return group ? group : groupOf(stages, *stageOf(function));
}

}  // namespace sbp
