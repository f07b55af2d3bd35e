#include "passes/search/program/KernelRoom.h"

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Block.h"
#include "passes/boxing/Cost.h"

namespace sbp::search {
namespace {

SmallVector<Type> localTypes(TypeRange types, ArrayRef<Placement> placements,
                             const Mesh& mesh) {
  SmallVector<Type> local;
  for (auto [type, placement] : llvm::zip(types, placements)) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    local.push_back(RankedTensorType::get(
        largestLocalShape(tensor.getShape(), placement, mesh),
        tensor.getElementType()));
  }
  return local;
}

}  // namespace

double KernelRoom::of(Operation* op, const MeshSignature& signature) {
  if (!kernels_) return 0;
  MLIRContext* context = op->getContext();
  auto operands = localTypes(op->getOperandTypes(), signature.operands, mesh_);
  auto results = localTypes(op->getResultTypes(), signature.results, mesh_);
  auto [entry, isNew] = known_.try_emplace(
      opKeyOf(op, mlir::FunctionType::get(context, operands, results)), 0);
  if (!isNew) return entry->second;
  // The op at these types, which stands nowhere, with operands that nobody
  // makes.
  mlir::Block makers;
  for (Type type : operands) makers.addArgument(type, op->getLoc());
  OpBuilder builder(context);
  Operation* local = cloneAtTypes(builder, op, makers.getArguments(), results);
  entry->second = static_cast<double>(kernels_->workingBytes(local));
  local->destroy();
  return entry->second;
}

}  // namespace sbp::search
