#include "passes/module/PlacedTypes.h"

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

namespace {

/// Adds the mesh of `placement`, which is part of a type of `op`.
LogicalResult addMesh(Operation* op, NdSbpAttr placement,
                      PlacedMeshes& meshes) {
  PlacedMeshes::Name name = placement.getMesh();
  if (!meshes.byName.count(name.getValue())) {
    FailureOr<Mesh> mesh = lookupMesh(op, name);
    if (failed(mesh)) return failure();
    auto machine = mlir::FlatSymbolRefAttr::get(lookupMachine(op, name));
    if (meshes.byName.empty()) {
      FailureOr<Mesh> levels = lookupMesh(op, machine);
      if (failed(levels)) return failure();
      meshes.machine = std::move(*levels);
      meshes.all = mesh->ranks.empty() ? name : machine;
    } else {
      auto other = mlir::FlatSymbolRefAttr::get(lookupMachine(op, meshes.all));
      if (other != machine)
        return op->emitOpError()
               << "is placed on " << name << " of " << machine
               << ", other ops on " << meshes.all << " of " << other;
      meshes.all = machine;
    }
    meshes.byName.emplace(name.getValue(), std::move(*mesh));
  }
  size_t numAxes = meshes.of(name).axes.size();
  if (placement.getComponents().size() == numAxes) return success();
  return op->emitOpError() << "has a placement of "
                           << placement.getComponents().size()
                           << " components, but " << name << " has " << numAxes
                           << " axes";
}

}  // namespace

FailureOr<PlacedMeshes> placedMeshesOf(ModuleOp module) {
  PlacedMeshes meshes;
  LogicalResult added = forEachTensorType(
      module, [&](Operation* op, RankedTensorType type) -> LogicalResult {
        NdSbpAttr placement = NdSbpAttr::of(type);
        return placement ? addMesh(op, placement, meshes) : success();
      });
  if (failed(added)) return failure();
  return meshes;
}

LogicalResult verifyAllPlaced(ModuleOp module) {
  return forEachTensorType(
      module, [](Operation* op, RankedTensorType type) -> LogicalResult {
        if (NdSbpAttr::of(type)) return success();
        return op->emitOpError()
               << "has the type " << type << ", which carries no placement";
      });
}

}  // namespace sbp
