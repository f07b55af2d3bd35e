#include "passes/search/reading/KernelRoom.h"

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

KernelRoom::Bytes KernelRoom::of(Operation* op,
                                 const MeshSignature& signature) {
  MLIRContext* context = op->getContext();
  auto operands = localTypes(op->getOperandTypes(), signature.operands, mesh_);
  auto results = localTypes(op->getResultTypes(), signature.results, mesh_);
  auto [entry, isNew] = known_.try_emplace(
      opKeyOf(op, mlir::FunctionType::get(context, operands, results)),
      Bytes());
  if (!isNew) return entry->second;
  Bytes& bytes = entry->second;
  for (Type type : results) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    bytes.results.push_back(static_cast<double>(alignedBytes(
        tensor.getNumElements() * elementBytes(tensor.getElementType()))));
  }
  if (!kernels_) return bytes;
  // A detached op of these types, whose operands are block arguments.
  mlir::Block makers;
  for (Type type : operands) makers.addArgument(type, op->getLoc());
  OpBuilder builder(context);
  Operation* local =
      cloneWithTypes(builder, op, makers.getArguments(), results);
  bytes.working =
      static_cast<double>(alignedBytes(kernels_->workingBytes(local)));
  for (auto [index, own] : llvm::enumerate(bytes.results))
    if (kernels_->mayOverwrite(local, static_cast<unsigned>(index))) own = 0;
  local->destroy();
  return bytes;
}

}  // namespace sbp::search
