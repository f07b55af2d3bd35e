#include "passes/PlacedTypes.h"

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

LogicalResult forEachTensorType(
    Operation* root,
    llvm::function_ref<LogicalResult(Operation*, RankedTensorType)> visit) {
  mlir::WalkResult result = root->walk([&](Operation* op) {
    SmallVector<Type> types(op->getResultTypes());
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op)) {
      llvm::append_range(types, function.getArgumentTypes());
      llvm::append_range(types, function.getResultTypes());
    }
    if (auto parameter = llvm::dyn_cast<nn::ParameterOp>(op))
      types.push_back(parameter.getType());
    for (Type type : types)
      if (auto tensor = llvm::dyn_cast<RankedTensorType>(type))
        if (failed(visit(op, tensor))) return mlir::WalkResult::interrupt();
    return mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

FailureOr<PlacedMesh> placedMeshOf(ModuleOp module) {
  PlacedMesh found;
  auto visit = [&](Operation* op, RankedTensorType type) -> LogicalResult {
    NdSbpAttr placement = NdSbpAttr::of(type);
    if (!placement)
      return op->emitOpError()
             << "has the type " << type << ", which carries no placement";
    if (!found.name) {
      FailureOr<Mesh> mesh = lookupMesh(op, placement.getMesh());
      if (failed(mesh)) return failure();
      found = {placement.getMesh(), *mesh};
    }
    if (placement.getMesh() != found.name)
      return op->emitOpError() << "is placed on " << placement.getMesh()
                               << ", other ops on " << found.name;
    size_t numAxes = found.mesh.axes.size();
    if (placement.getComponents().size() != numAxes)
      return op->emitOpError()
             << "has a placement of " << placement.getComponents().size()
             << " components, but " << found.name << " has " << numAxes
             << " axes";
    return success();
  };
  if (failed(forEachTensorType(module, visit))) return failure();
  return found;
}

}  // namespace sbp
