// Reductions, softmax and normalisations.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {

// ---- Reduce -----------------------------------------------------------------

LogicalResult ReduceOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
  // (C1)
  int64_t previous = -1;
  for (int64_t dim : adaptor.getDims()) {
    if (dim < 0 || dim >= type.getRank())
      return emitOptionalError(location, "reduces dimension ", dim,
                               " of a tensor of rank ", type.getRank());
    if (dim <= previous)
      return emitOptionalError(location, "reduces dimension ", dim, " after ",
                               previous, "; dimensions must ascend");
    previous = dim;
  }
  // (C2)
  if (adaptor.getKind() == ReduceKind::Mean &&
      !llvm::isa<mlir::FloatType>(type.getElementType()))
    return emitOptionalError(location, "takes the mean of elements of type ",
                             type.getElementType(),
                             "; a mean needs floating point");
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    bool isReduced =
        llvm::is_contained(adaptor.getDims(), static_cast<int64_t>(dim));
    if (!isReduced)
      shape.push_back(extent);
    else if (adaptor.getKeep())
      shape.push_back(1);
  }
  inferred.push_back(plainTensor(shape, type.getElementType()));
  return success();
}

int64_t ReduceOp::getDivisor() {
  if (std::optional<uint64_t> count = getCount()) return *count;
  int64_t divisor = 1;
  for (int64_t dim : getDims()) divisor *= shapeOf(getInput())[dim];
  return divisor;
}

LoopNest ReduceOp::getLoopNest() {
  Reduction reduction = getKind() == ReduceKind::Max   ? Reduction::Max
                        : getKind() == ReduceKind::Min ? Reduction::Min
                                                       : Reduction::Sum;
  ArrayRef<int64_t> shape = shapeOf(getInput());
  LoopNest nest;
  TensorLoops result;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    int64_t loop = dim;
    if (!llvm::is_contained(getDims(), loop)) {
      nest.addLoop(Loop::parallel(extent));
      result.push_back(loop);
      continue;
    }
    nest.addLoop(Loop::reduce(extent, reduction));
    if (getKeep()) result.push_back(kNoLoop);
  }
  nest.operands.push_back(identityLoops(shape.size()));
  nest.results.push_back(result);
  passPartial(nest, reduction, {0});
  return nest;
}

Operation* ReduceOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                TypeRange results, Shard&) {
  mlir::IntegerAttr count;
  if (getKind() == ReduceKind::Mean)
    count = builder.getI64IntegerAttr(getDivisor());
  return ReduceOp::create(builder, getLoc(), results.front(), getKind(),
                          operands.front(), getDims(), getKeep(), count);
}

// ---- Softmax ----------------------------------------------------------------

namespace {

/// Fails unless `dim` is a dimension of the result. (C2)
LogicalResult verifySoftmaxDim(Operation* op, int64_t dim) {
  int64_t rank = shapeOf(op->getResult(0)).size();
  if (dim >= 0 && dim < rank) return success();
  return op->emitOpError() << "normalises dimension " << dim
                           << " of a tensor of rank " << rank;
}

/// Returns the loops of an op that computes each row along `dim` on its own:
/// the loop over `dim` is not split.
LoopNest rowsNest(Operation* op, int64_t dim) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, dim);
  nest.operands.assign(op->getNumOperands(), identityLoops(shape.size()));
  nest.results.push_back(identityLoops(shape.size()));
  nest.flopsPerPoint = 4;
  return nest;
}

}  // namespace

LogicalResult SoftmaxOp::verify() { return verifySoftmaxDim(*this, getDim()); }
LogicalResult LogSoftmaxOp::verify() {
  return verifySoftmaxDim(*this, getDim());
}
LoopNest SoftmaxOp::getLoopNest() { return rowsNest(*this, getDim()); }
LoopNest LogSoftmaxOp::getLoopNest() { return rowsNest(*this, getDim()); }

namespace {

/// Appends to `inferred` the result type of the gradient of a softmax.
template <typename Adaptor>
LogicalResult inferSoftmaxGrad(std::optional<Location> location,
                               Adaptor adaptor,
                               llvm::SmallVectorImpl<Type>& inferred) {
  Type output = adaptor.getOutput().getType();
  int64_t rank = shapeOf(output).size();
  int64_t dim = adaptor.getDim();
  // (C1)
  if (dim < 0 || dim >= rank)
    return emitOptionalError(location, "normalises dimension ", dim,
                             " of a tensor of rank ", rank);
  // (C2)
  if (failed(haveSameType(location, output, adaptor.getGradient().getType())))
    return failure();
  return inferLike(adaptor.getOutput(), inferred);
}

}  // namespace

LogicalResult SoftmaxGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferSoftmaxGrad(location, adaptor, inferred);
}

LogicalResult LogSoftmaxGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferSoftmaxGrad(location, adaptor, inferred);
}

LoopNest SoftmaxGradOp::getLoopNest() {
  LoopNest nest = rowsNest(*this, getDim());
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

LoopNest LogSoftmaxGradOp::getLoopNest() {
  LoopNest nest = rowsNest(*this, getDim());
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

// ---- Layer norm, RMS norm ---------------------------------------------------

namespace {

/// Fails unless `input` has a dimension (C1), and each of `vectors` has rank 1,
/// the extent of the input's last dimension, and its element type (C2).
LogicalResult checkVectors(std::optional<Location> location, Type input,
                           ArrayRef<Type> vectors) {
  ArrayRef<int64_t> shape = shapeOf(input);
  if (shape.empty())
    return emitOptionalError(location, "normalises the last dimension of ",
                             input, ", which has none");
  for (Type vector : vectors) {
    if (failed(haveSameElementType(location, {input, vector})))
      return failure();
    if (shapeOf(vector) != shape.take_back())
      return emitOptionalError(location, "scales a last dimension of extent ",
                               shape.back(), " by ", vector);
  }
  return success();
}

/// Appends to `inferred` the types of the gradients of a normalisation: that of
/// the input, and `numVectors` like `gamma`.
LogicalResult inferGradients(std::optional<Location> location, Value input,
                             Value gamma, Value gradient, int64_t numVectors,
                             llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkVectors(location, input.getType(), {gamma.getType()})) ||
      failed(haveSameType(location, input.getType(),
                          gradient.getType())) ||  // (C3)
      failed(inferLike(input, inferred)))
    return failure();
  for (; numVectors > 0; --numVectors)
    if (failed(inferLike(gamma, inferred))) return failure();
  return success();
}

/// Returns the loops of a normalisation or its gradient: the loop over the last
/// dimension is not split. With `sumRows` the results of rank 1 are sums over
/// the other dimensions.
LoopNest normNest(Operation* op, bool sumRows) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t last = shape.size() - 1;
  LoopNest nest = loopsOver(
      shape, sumRows ? Loop::Kind::Reduction : Loop::Kind::Parallel, last);
  auto loopsOf = [&](Value value) {
    if (shapeOf(value).size() == shape.size() && shapeOf(value) == shape &&
        shape.size() > 1)
      return identityLoops(shape.size());
    return TensorLoops{last};
  };
  for (Value operand : op->getOperands())
    nest.operands.push_back(loopsOf(operand));
  for (Value result : op->getResults()) nest.results.push_back(loopsOf(result));
  nest.flopsPerPoint = sumRows ? 12 : 7;
  return nest;
}

}  // namespace

LogicalResult LayerNormOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  Type input = adaptor.getInput().getType();
  if (failed(checkVectors(
          location, input,
          {adaptor.getGamma().getType(), adaptor.getBeta().getType()})))
    return failure();
  return inferLike(adaptor.getInput(), inferred);
}

LoopNest LayerNormOp::getLoopNest() {
  return normNest(*this, /*sumRows=*/false);
}

LogicalResult RmsNormOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkVectors(location, adaptor.getInput().getType(),
                          {adaptor.getGamma().getType()})))
    return failure();
  return inferLike(adaptor.getInput(), inferred);
}

LoopNest RmsNormOp::getLoopNest() { return normNest(*this, /*sumRows=*/false); }

LogicalResult LayerNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferGradients(location, adaptor.getInput(), adaptor.getGamma(),
                        adaptor.getGradient(), /*numVectors=*/2, inferred);
}

LoopNest LayerNormGradOp::getLoopNest() {
  LoopNest nest = normNest(*this, /*sumRows=*/true);
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

LogicalResult RmsNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferGradients(location, adaptor.getInput(), adaptor.getGamma(),
                        adaptor.getGradient(), /*numVectors=*/1, inferred);
}

LoopNest RmsNormGradOp::getLoopNest() {
  LoopNest nest = normNest(*this, /*sumRows=*/true);
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

}  // namespace sbp::nn
