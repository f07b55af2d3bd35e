// Ops that say where a tensor lies, or move it: pins, casts, boxings, and the
// ends of transfers between groups.

#include "dialects/sbp/Sbp.h"

namespace sbp {

// ---- Pins and boxings -------------------------------------------------------

LogicalResult PinOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getInput().getType());
  // (C2)
  if (NdSbpAttr placement = NdSbpAttr::of(type))
    return emitOpError() << "pins a tensor that is placed already, on "
                         << placement;
  // (C1)
  return getPlacement().verifyEncoding(type.getShape(), type.getElementType(),
                                       [&] { return emitOpError(); });
}

namespace {

/// Verifies an op whose result is its operand with another placement.
LogicalResult verifyReplacement(Operation* op) {
  auto from = llvm::cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  // (C2)
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return op->emitOpError() << "changes " << from << " to " << to
                             << "; only the placement may change";
  // (C1)
  NdSbpAttr source = NdSbpAttr::of(from);
  NdSbpAttr target = NdSbpAttr::of(to);
  if (!source || !target)
    return op->emitOpError()
           << "needs placed types, but has " << (source ? to : from);
  if (source.getMesh() == target.getMesh() &&
      source.getComponents().size() != target.getComponents().size())
    return op->emitOpError() << "has " << source.getComponents().size()
                             << " components before and "
                             << target.getComponents().size() << " after";
  return success();
}

}  // namespace

LogicalResult CastOp::verify() { return verifyReplacement(*this); }

// Two casts in a row fold to one cast to the last placement, unless one of them
// is pinned. Casts of Partial tensors do not fold, because the order in which
// the terms are added up depends on the movements.
mlir::OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getPinned() || !getOperation()->getDiscardableAttrs().empty()) return {};
  if (getInput().getType() == getType()) return getInput();
  auto inner = getInput().getDefiningOp<CastOp>();
  if (!inner || inner.getPinned() || !inner->getDiscardableAttrs().empty())
    return {};
  NdSbpAttr first = NdSbpAttr::of(inner.getInput().getType());
  for (Value value : {inner.getInput(), getInput(), getResult()}) {
    NdSbpAttr placement = NdSbpAttr::of(value.getType());
    if (placement.hasPartial() || placement.getMesh() != first.getMesh())
      return {};
  }
  getInputMutable().assign(inner.getInput());
  return getResult();
}

LogicalResult BoxOp::verify() {
  if (failed(verifyReplacement(*this))) return failure();
  NdSbpAttr source = NdSbpAttr::of(getInput().getType());
  NdSbpAttr target = NdSbpAttr::of(getResult().getType());
  if (source.getMesh() == target.getMesh()) return success();
  // (C3)
  if (getBucketed())
    return emitOpError() << "is bucketed and moves a tensor from group "
                         << source.getMesh() << " to group " << target.getMesh()
                         << "; a bucket is of collectives of one group";
  // (C1)
  for (NdSbpAttr end : {source, target})
    if (end.hasPartial())
      return emitOpError() << "moves a tensor from group " << source.getMesh()
                           << " to group " << target.getMesh() << ", but is "
                           << end << " at one end; between groups a tensor is "
                           << "Split or Broadcast";
  return success();
}

bool BoxOp::crosses() {
  return NdSbpAttr::of(getInput().getType()).getMesh() !=
         NdSbpAttr::of(getResult().getType()).getMesh();
}

mlir::OpFoldResult BoxOp::fold(FoldAdaptor) {
  if (getInput().getType() == getResult().getType()) return getInput();
  return {};
}

// ---- Ends of transfers between groups ---------------------------------------

namespace {

/// Returns one parallel loop per dimension of `value`. `tensor` gets the loop
/// of each dimension.
LoopNest loopsOver(Value value, TensorLoops& tensor) {
  LoopNest nest;
  nest.flopsPerPoint = 0;
  for (int64_t extent :
       llvm::cast<RankedTensorType>(value.getType()).getShape())
    tensor.push_back(nest.addLoop(Loop::parallel(extent)));
  return nest;
}

}  // namespace

LoopNest ArriveOp::getLoopNest() {
  TensorLoops tensor;
  LoopNest nest = loopsOver(getResult(), tensor);
  nest.results.push_back(std::move(tensor));
  return nest;
}

LoopNest DepartOp::getLoopNest() {
  TensorLoops tensor;
  LoopNest nest = loopsOver(getInput(), tensor);
  nest.operands.push_back(std::move(tensor));
  return nest;
}

}  // namespace sbp
