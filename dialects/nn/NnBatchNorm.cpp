// Batch normalisation: statistics of channels, the normalisation, and its
// gradient.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// Fails unless `input` is [N, C, ...], and each of `vectors` is [C] with the
/// input's element type. (C1)
LogicalResult checkChannels(std::optional<Location> location, Value input,
                            ValueRange vectors) {
  ArrayRef<int64_t> shape = shapeOf(input);
  if (shape.size() < 2)
    return emitOptionalError(location, "normalises the channels of ",
                             input.getType(), ", which is not [N, C, ...]");
  for (Value vector : vectors) {
    if (failed(
            haveSameElementType(location, {input.getType(), vector.getType()})))
      return failure();
    if (shapeOf(vector) != shape.slice(1, 1))
      return emitOptionalError(location, "normalises ", shape[1],
                               " channels by ", vector.getType());
  }
  return success();
}

/// Returns one loop per dimension of the input [N, C, ...]: a parallel one over
/// the channels, and loops of kind `kind` over the other dimensions. Operands
/// and results of rank 1 are [C], the others have the input's shape.
LoopNest channelsNest(Operation* op, Loop::Kind kind) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  LoopNest nest = loopsOver(shape, kind, /*whole=*/-1);
  nest.loops[1].kind = Loop::Kind::Parallel;
  auto loopsOf = [&](Value value) {
    return shapeOf(value).size() == 1 ? TensorLoops{1}
                                      : identityLoops(shape.size());
  };
  for (Value operand : op->getOperands())
    nest.operands.push_back(loopsOf(operand));
  for (Value result : op->getResults()) nest.results.push_back(loopsOf(result));
  return nest;
}

/// Returns `count`, or the number of elements of `input` per channel if it is
/// missing.
int64_t countOf(std::optional<uint64_t> count, Value input) {
  if (count) return *count;
  int64_t product = 1;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(input)))
    if (dim != 1) product *= extent;
  return product;
}

/// Builds the op on local tensors, with the number of elements per channel of
/// the whole tensor as its `count`.
template <typename Op>
Operation* buildCounting(Op op, OpBuilder& builder, ValueRange operands,
                         TypeRange results) {
  auto local = llvm::cast<Op>(cloneWithTypes(builder, op, operands, results));
  local.setCount(op.getDivisor());
  return local;
}

}  // namespace

LogicalResult BatchVarianceOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkChannels(location, adaptor.getInput(), adaptor.getCenter())))
    return failure();
  return inferLike(adaptor.getCenter(), inferred);
}

int64_t BatchVarianceOp::getDivisor() {
  return countOf(getCount(), getInput());
}

LoopNest BatchVarianceOp::getLoopNest() {
  LoopNest nest = channelsNest(*this, Loop::Kind::Reduction);
  nest.flopsPerPoint = 3;
  return nest;
}

Operation* BatchVarianceOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                       TypeRange results, Shard&) {
  return buildCounting(*this, builder, operands, results);
}

LogicalResult BatchNormOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkChannels(location, adaptor.getInput(),
                           adaptor.getOperands().drop_front())))
    return failure();
  return inferLike(adaptor.getInput(), inferred);
}

LoopNest BatchNormOp::getLoopNest() {
  LoopNest nest = channelsNest(*this, Loop::Kind::Parallel);
  nest.flopsPerPoint = 3;
  return nest;
}

LogicalResult BatchNormSumsOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkChannels(location, adaptor.getInput(), adaptor.getMean())) ||
      failed(haveSameType(location, adaptor.getInput().getType(),
                          adaptor.getGradient().getType())) ||  // (C2)
      failed(inferLike(adaptor.getMean(), inferred)))
    return failure();
  return inferLike(adaptor.getMean(), inferred);
}

LoopNest BatchNormSumsOp::getLoopNest() {
  LoopNest nest = channelsNest(*this, Loop::Kind::Reduction);
  nest.flopsPerPoint = 4;
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

LogicalResult BatchNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  SmallVector<Value> vectors = {adaptor.getMean(), adaptor.getVariance(),
                                adaptor.getGamma(), adaptor.getProducts(),
                                adaptor.getSums()};
  if (failed(checkChannels(location, adaptor.getInput(), vectors)) ||
      failed(haveSameType(location, adaptor.getInput().getType(),
                          adaptor.getGradient().getType())))  // (C2)
    return failure();
  return inferLike(adaptor.getInput(), inferred);
}

int64_t BatchNormGradOp::getDivisor() {
  return countOf(getCount(), getInput());
}

LoopNest BatchNormGradOp::getLoopNest() {
  LoopNest nest = channelsNest(*this, Loop::Kind::Parallel);
  nest.flopsPerPoint = 5;
  passPartial(nest, Reduction::Sum, {4, 5, 6});
  return nest;
}

Operation* BatchNormGradOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                       TypeRange results, Shard&) {
  return buildCounting(*this, builder, operands, results);
}

}  // namespace sbp::nn
