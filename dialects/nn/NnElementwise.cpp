// Elementwise ops: their result types, their loops, and the reductions of
// Partial operands with which they commute.

#include "dialects/nn/Nn.h"
#include "dialects/nn/ReducedIn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// Returns the loops of an elementwise op with one result.
LoopNest unaryNest(Operation* op) {
  return elementwiseNest(shapeOf(op->getResult(0)), op->getOperandTypes(), 1);
}

/// Returns the loops of an elementwise function that never decreases. Such a
/// function commutes with max and min: the maximum of its values is its value
/// at the maximum. The function must also be defined at the infinities, which
/// are the neutral elements of max and min.
LoopNest increasingNest(Operation* op) {
  LoopNest nest = unaryNest(op);
  passPartial(nest, Reduction::Max, {0});
  passPartial(nest, Reduction::Min, {0});
  return nest;
}

/// Appends to `inferred` the tensor of `elementType` with the shape to which
/// the types `shaped` broadcast. Fails if they do not. (C2)
LogicalResult inferBroadcast(std::optional<Location> location,
                             ArrayRef<Type> shaped, Type elementType,
                             llvm::SmallVectorImpl<Type>& inferred) {
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(location, shaped);
  if (failed(shape)) return failure();
  inferred.push_back(plainTensor(*shape, elementType));
  return success();
}

/// Appends to `inferred` the result type of an elementwise op of two operands.
LogicalResult inferBinary(std::optional<Location> location, Type lhs, Type rhs,
                          llvm::SmallVectorImpl<Type>& inferred) {
  // (C1)
  if (failed(haveSameElementType(location, {lhs, rhs}))) return failure();
  return inferBroadcast(location, {lhs, rhs}, mlir::getElementTypeOrSelf(lhs),
                        inferred);
}

}  // namespace

// ---- One operand ------------------------------------------------------------

LoopNest NegOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Sum, {0});
  return nest;
}

LoopNest ExpOp::getLoopNest() { return increasingNest(*this); }
LoopNest TanhOp::getLoopNest() { return increasingNest(*this); }
LoopNest SigmoidOp::getLoopNest() { return increasingNest(*this); }
LoopNest ReluOp::getLoopNest() { return increasingNest(*this); }
LoopNest LogOp::getLoopNest() { return unaryNest(*this); }
LoopNest SqrtOp::getLoopNest() { return unaryNest(*this); }
LoopNest RsqrtOp::getLoopNest() { return unaryNest(*this); }
LoopNest SiluOp::getLoopNest() { return unaryNest(*this); }
LoopNest GeluOp::getLoopNest() { return unaryNest(*this); }

LogicalResult CastOp::verify() {
  // (C1)
  if (shapeOf(getInput()) == shapeOf(getResult())) return success();
  return emitOpError() << "converts " << getInput().getType() << " to "
                       << getResult().getType() << "; the shapes must be equal";
}

LoopNest CastOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  Type from = mlir::getElementTypeOrSelf(getInput());
  Type to = mlir::getElementTypeOrSelf(getResult());
  bool isLinear =
      (llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to)) ||
      (from.isInteger() && to.isInteger() && !from.isInteger(1) &&
       !to.isInteger(1));
  if (isLinear && !isReducedBefore(*this))
    passPartial(nest, Reduction::Sum, {0});
  return nest;
}

// ---- Two and three operands -------------------------------------------------

#define SBP_INFER_BINARY(OpName)                                       \
  LogicalResult OpName::inferReturnTypes(                              \
      MLIRContext*, std::optional<Location> location, Adaptor adaptor, \
      llvm::SmallVectorImpl<Type>& inferred) {                         \
    return inferBinary(location, adaptor.getLhs().getType(),           \
                       adaptor.getRhs().getType(), inferred);          \
  }
SBP_INFER_BINARY(AddOp)
SBP_INFER_BINARY(SubOp)
SBP_INFER_BINARY(MulOp)
SBP_INFER_BINARY(DivOp)
SBP_INFER_BINARY(MaxOp)
SBP_INFER_BINARY(MinOp)
#undef SBP_INFER_BINARY

LoopNest AddOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Sum, {0, 1});
  return nest;
}

LoopNest SubOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Sum, {0, 1});
  return nest;
}

LoopNest MulOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Sum, {0});
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

LoopNest DivOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  // Integer division rounds, so it does not commute with sums.
  if (llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(getResult())))
    passPartial(nest, Reduction::Sum, {0});
  return nest;
}

LoopNest MaxOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Max, {0, 1});
  return nest;
}

LoopNest MinOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passPartial(nest, Reduction::Min, {0, 1});
  return nest;
}

LogicalResult CompareOp::inferReturnTypes(
    MLIRContext* context, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  Type lhs = adaptor.getLhs().getType();
  Type rhs = adaptor.getRhs().getType();
  // (C1)
  if (failed(haveSameElementType(location, {lhs, rhs}))) return failure();
  return inferBroadcast(location, {lhs, rhs},
                        mlir::IntegerType::get(context, 1), inferred);
}

LoopNest CompareOp::getLoopNest() { return unaryNest(*this); }

LogicalResult SelectOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  Type onTrue = adaptor.getOnTrue().getType();
  Type onFalse = adaptor.getOnFalse().getType();
  // (C1)
  if (failed(haveSameElementType(location, {onTrue, onFalse})))
    return failure();
  return inferBroadcast(location,
                        {adaptor.getCondition().getType(), onTrue, onFalse},
                        mlir::getElementTypeOrSelf(onTrue), inferred);
}

LoopNest SelectOp::getLoopNest() {
  LoopNest nest = unaryNest(*this);
  passAllPartials(nest, {1, 2});
  return nest;
}

}  // namespace sbp::nn
