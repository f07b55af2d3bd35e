#include "passes/differentiate/KeepInLayers.h"

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "passes/module/CallCounts.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

SmallVector<FuncOp> layersToKeep(FuncOp loss, Kept kept,
                                 const mlir::SymbolTable& symbols) {
  llvm::SetVector<FuncOp> callers, layers;
  callers.insert(loss);
  for (size_t index = 0; index < callers.size(); ++index)
    for (auto call : FuncOp(callers[index]).getOps<CallOp>()) {
      auto callee = symbols.lookup<FuncOp>(call.getCallee());
      const bool isStage = callee->hasAttr(kStageAttrName);
      if (!isStage) layers.insert(callee);
      if (isStage || kept == Kept::Products) callers.insert(callee);
    }
  return layers.takeVector();
}

void keepInLayers(ArrayRef<FuncOp> layers, Kept kept) {
  for (FuncOp layer : layers)
    if (!layer->hasAttr(kKeepAttrName))
      layer->setAttr(kKeepAttrName, KeepAttr::get(layer.getContext(), kept));
}

LogicalResult verifyKeepInLayers(ModuleOp module, FuncOp loss,
                                 const mlir::SymbolTable& symbols) {
  llvm::MapVector<FuncOp, int64_t> called;
  if (loss) called = callCounts(loss, symbols);
  for (auto function : module.getOps<FuncOp>()) {
    if (!function->hasAttr(kKeepAttrName) || called.contains(function))
      continue;
    mlir::InFlightDiagnostic error =
        function.emitOpError()
        << "has '" << kKeepAttrName << "', but nothing that is trained calls "
        << "it, so there is no backward pass to keep values for";
    if (loss) error.attachNote(loss.getLoc()) << "the function that is trained";
    return error;
  }
  return success();
}

}  // namespace sbp
