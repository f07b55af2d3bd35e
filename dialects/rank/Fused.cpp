// The constraints of rank.fused.

#include "dialects/rank/Rank.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp::rank {
namespace {

ArrayRef<int64_t> shapeOf(Type type) {
  return llvm::cast<RankedTensorType>(type).getShape();
}

/// Whether a tensor of `shape` broadcasts to `to`.
bool broadcastsTo(ArrayRef<int64_t> shape, ArrayRef<int64_t> to) {
  SmallVector<int64_t> together;
  return mlir::OpTrait::util::getBroadcastedShape(shape, to, together) &&
         ArrayRef<int64_t>(together) == to;
}

}  // namespace

LogicalResult FusedOp::verify() {
  mlir::Block& body = getBody().front();
  // (C1)
  auto yield = llvm::dyn_cast<YieldOp>(body.back());
  if (!yield)
    return emitOpError() << "has a body that ends with '"
                         << body.back().getName() << "', not with '"
                         << YieldOp::getOperationName() << "'";
  if (body.getArgumentTypes() != getOperandTypes())
    return emitOpError() << "has operands of types (" << getOperandTypes()
                         << "), but a body with arguments of types ("
                         << body.getArgumentTypes() << ")";
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "has results of types (" << getResultTypes()
                         << "), but a body that yields ("
                         << yield.getOperandTypes() << ")";
  // (C2)
  if (getNumOperands() == 0 || getNumResults() == 0)
    return emitOpError() << "has " << getNumOperands() << " operands and "
                         << getNumResults()
                         << " results; it needs at least one of each";
  ArrayRef<int64_t> shape = shapeOf(getResult(0).getType());
  for (Type type : getResultTypes())
    if (shapeOf(type) != shape)
      return emitOpError() << "has results of different shapes, "
                           << getResult(0).getType() << " and " << type;
  // (C3)
  for (Type type : getOperandTypes())
    if (!broadcastsTo(shapeOf(type), shape))
      return emitOpError() << "has an operand of type " << type
                           << ", which does not broadcast to the result of "
                              "type "
                           << getResult(0).getType();
  for (Operation& op : body.without_terminator()) {
    // (C4)
    if (op.getNumRegions() > 0 || !mlir::isMemoryEffectFree(&op))
      return op.emitOpError()
             << "stands in a '" << getOperationName()
             << "', whose ops have no regions and no side effects";
    // (C2)
    if (op.getNumOperands() == 0) continue;
    for (Type type : op.getResultTypes())
      if (!llvm::isa<RankedTensorType>(type) || shapeOf(type) != shape)
        return op.emitOpError()
               << "makes " << type << " in a '" << getOperationName()
               << "' whose results have the shape of "
               << getResult(0).getType();
  }
  return success();
}

}  // namespace sbp::rank
