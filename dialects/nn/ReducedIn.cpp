#include "dialects/nn/ReducedIn.h"

#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

bool isReducedIn(Operation* op, Value tensor) {
  auto type = op->getAttrOfType<mlir::TypeAttr>(kReducedInAttrName);
  return type && type.getValue() == mlir::getElementTypeOrSelf(tensor);
}

}  // namespace

bool isReducedAfter(Operation* op) {
  auto cast = llvm::dyn_cast<CastOp>(op);
  return cast && isReducedIn(op, cast.getResult());
}

bool isReducedBefore(Operation* op) {
  auto cast = llvm::dyn_cast<CastOp>(op);
  return cast && isReducedIn(op, cast.getInput());
}

bool passesGradient(mlir::OpOperand& operand) {
  Operation* op = operand.getOwner();
  if (llvm::isa<CastOp, ReshapeOp, TransposeOp, SliceOp, ConcatOp, NegOp, AddOp,
                SubOp>(op))
    return true;
  if (!llvm::isa<MulOp, DivOp>(op)) return false;
  const unsigned other = 1 - operand.getOperandNumber();
  if (llvm::isa<DivOp>(op) && other == 0) return false;
  auto factor = llvm::cast<RankedTensorType>(op->getOperand(other).getType());
  return factor.getNumElements() == 1;
}

}  // namespace sbp::nn
