// Ops with integer operands: table lookup, and losses with labels.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {

namespace {

/// Returns `count`, the bound of the elements of `indices`, if `operand` is
/// `indices`.
std::optional<int64_t> boundOf(mlir::OpOperand& operand, Value indices,
                               int64_t count) {
  if (operand.get() != indices) return std::nullopt;
  return count;
}

}  // namespace

// ---- Embedding --------------------------------------------------------------

LogicalResult EmbeddingOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto table = llvm::cast<RankedTensorType>(adaptor.getTable().getType());
  // (C1)
  if (table.getRank() != 2)
    return emitOptionalError(location, "looks rows up in ", table,
                             ", which is no matrix");
  SmallVector<int64_t> shape(shapeOf(adaptor.getIndices()));
  shape.push_back(table.getDimSize(1));
  inferred.push_back(plainTensor(shape, table.getElementType()));
  return success();
}

namespace {

/// Returns the loops of an embedding or its gradient: one per dimension of the
/// indices, then one over the rows and one over the columns of the table. The
/// forward op sums over the rows, the gradient over the indices.
LoopNest embeddingNest(ArrayRef<int64_t> indices, ArrayRef<int64_t> table,
                       bool isBackward) {
  LoopNest nest = loopsOver(
      indices, isBackward ? Loop::Kind::Reduction : Loop::Kind::Parallel,
      /*whole=*/-1);
  int64_t row =
      nest.addLoop(isBackward ? Loop::parallel(table[0])
                              : Loop::reduce(table[0], Reduction::Sum));
  int64_t column = nest.addLoop(Loop::parallel(table[1]));
  TensorLoops index = identityLoops(indices.size());
  TensorLoops rows = index;
  rows.push_back(column);
  TensorLoops tableLoops = {row, column};
  if (isBackward) {
    nest.operands = {index, rows};
    nest.results = {tableLoops};
    passPartial(nest, Reduction::Sum, {1});
  } else {
    nest.operands = {tableLoops, index};
    nest.results = {rows};
    passPartial(nest, Reduction::Sum, {0});
  }
  nest.flopsPerPoint = 0;
  return nest;
}

/// Returns the index of the first row of this rank's part of the table.
/// `operands` are those of an embedding or of its gradient.
Value firstRow(OpBuilder& builder, Operation* op, ValueRange operands,
               size_t numIndexDims, Shard& shard) {
  Value start = operands.size() > 2 ? operands[2] : Value();
  int64_t row = numIndexDims;
  return firstIndex(builder, op->getLoc(), start, row, shard);
}

}  // namespace

LoopNest EmbeddingOp::getLoopNest() {
  LoopNest nest =
      embeddingNest(shapeOf(getIndices()), shapeOf(getTable()), false);
  if (getFirstRow()) nest.operands.emplace_back();
  return nest;
}

Operation* EmbeddingOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                   TypeRange results, Shard& shard) {
  Value first =
      firstRow(builder, *this, operands, shapeOf(getIndices()).size(), shard);
  return EmbeddingOp::create(builder, getLoc(), results.front(), operands[0],
                             operands[1], first);
}

std::optional<int64_t> EmbeddingOp::getIndexBound(mlir::OpOperand& operand) {
  return boundOf(operand, getIndices(), shapeOf(getTable())[0]);
}

LogicalResult EmbeddingGradOp::verify() {
  ArrayRef<int64_t> indices = shapeOf(getIndices());
  ArrayRef<int64_t> gradient = shapeOf(getGradient());
  ArrayRef<int64_t> table = shapeOf(getResult());
  // (C1)
  if (failed(haveSameElementType(
          getLoc(), {getGradient().getType(), getResult().getType()})))
    return failure();
  // (C2)
  if (table.size() == 2 && gradient.size() == indices.size() + 1 &&
      gradient.drop_back() == indices && gradient.back() == table[1])
    return success();
  return emitOpError() << "adds rows of " << getGradient().getType()
                       << ", indexed by " << getIndices().getType() << ", to "
                       << getResult().getType()
                       << "; needs a table [V, D], and a gradient with the "
                          "indices' shape and D";
}

LoopNest EmbeddingGradOp::getLoopNest() {
  LoopNest nest =
      embeddingNest(shapeOf(getIndices()), shapeOf(getResult()), true);
  if (getFirstRow()) nest.operands.emplace_back();
  return nest;
}

std::optional<int64_t> EmbeddingGradOp::getIndexBound(
    mlir::OpOperand& operand) {
  return boundOf(operand, getIndices(), shapeOf(getResult())[0]);
}

Operation* EmbeddingGradOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                       TypeRange results, Shard& shard) {
  Value first =
      firstRow(builder, *this, operands, shapeOf(getIndices()).size(), shard);
  return EmbeddingGradOp::create(builder, getLoc(), results.front(),
                                 operands[0], operands[1], first);
}

// ---- Losses -----------------------------------------------------------------

namespace {

/// Fails unless `labels` has the shape of `logits` without the last dimension.
/// (C1)
LogicalResult checkLabels(std::optional<Location> location, Type logits,
                          Type labels) {
  if (!shapeOf(logits).empty() &&
      shapeOf(logits).drop_back() == shapeOf(labels))
    return success();
  return emitOptionalError(location, "compares logits ", logits,
                           " with labels ", labels,
                           "; they must have the logits' leading dimensions");
}

/// Returns `count`, or the number of elements of `tensor` if it is missing.
int64_t countOf(std::optional<uint64_t> count, Value tensor) {
  if (count) return *count;
  return llvm::cast<RankedTensorType>(tensor.getType()).getNumElements();
}

/// Returns one loop of kind `kind` per dimension of the labels, and a loop over
/// the classes, which is not split.
LoopNest labelsNest(ArrayRef<int64_t> logits, Loop::Kind kind) {
  LoopNest nest = loopsOver(logits, kind, logits.size() - 1);
  nest.operands = {identityLoops(logits.size()),
                   identityLoops(logits.size() - 1)};
  nest.flopsPerPoint = 4;
  return nest;
}

}  // namespace

LogicalResult CrossEntropyOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  Type logits = adaptor.getLogits().getType();
  if (failed(checkLabels(location, logits, adaptor.getLabels().getType())))
    return failure();
  inferred.push_back(plainTensor({}, mlir::getElementTypeOrSelf(logits)));
  return success();
}

int64_t CrossEntropyOp::getDivisor() {
  return countOf(getCount(), getLabels());
}

LoopNest CrossEntropyOp::getLoopNest() {
  LoopNest nest = labelsNest(shapeOf(getLogits()), Loop::Kind::Reduction);
  nest.results.emplace_back();
  return nest;
}

Operation* CrossEntropyOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                      TypeRange results, Shard&) {
  return CrossEntropyOp::create(builder, getLoc(), results.front(), operands[0],
                                operands[1],
                                builder.getI64IntegerAttr(getDivisor()));
}

std::optional<int64_t> CrossEntropyOp::getIndexBound(mlir::OpOperand& operand) {
  return boundOf(operand, getLabels(), shapeOf(getLogits()).back());
}

LogicalResult CrossEntropyGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkLabels(location, adaptor.getLogits().getType(),
                         adaptor.getLabels().getType())))
    return failure();
  return inferLike(adaptor.getLogits(), inferred);
}

int64_t CrossEntropyGradOp::getDivisor() {
  return countOf(getCount(), getLabels());
}

LoopNest CrossEntropyGradOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getLogits());
  LoopNest nest = labelsNest(shape, Loop::Kind::Parallel);
  nest.operands.emplace_back();
  nest.results.push_back(identityLoops(shape.size()));
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

Operation* CrossEntropyGradOp::buildLocal(OpBuilder& builder,
                                          ValueRange operands,
                                          TypeRange results, Shard&) {
  return CrossEntropyGradOp::create(builder, getLoc(), results.front(),
                                    operands[0], operands[1], operands[2],
                                    builder.getI64IntegerAttr(getDivisor()));
}

std::optional<int64_t> CrossEntropyGradOp::getIndexBound(
    mlir::OpOperand& operand) {
  return boundOf(operand, getLabels(), shapeOf(getLogits()).back());
}

LogicalResult MseOp::inferReturnTypes(MLIRContext*,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      llvm::SmallVectorImpl<Type>& inferred) {
  Type lhs = adaptor.getLhs().getType();
  Type rhs = adaptor.getRhs().getType();
  // (C1)
  if (!haveSameShapes(lhs, rhs))
    return emitOptionalError(location, "compares ", lhs, " with ", rhs,
                             "; shapes and element types must be equal");
  inferred.push_back(plainTensor({}, mlir::getElementTypeOrSelf(lhs)));
  return success();
}

int64_t MseOp::getDivisor() { return countOf(getCount(), getLhs()); }

LoopNest MseOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getLhs());
  LoopNest nest = loopsOver(shape, Loop::Kind::Reduction, /*whole=*/-1);
  nest.operands.assign(2, identityLoops(shape.size()));
  nest.results.emplace_back();
  nest.flopsPerPoint = 3;
  return nest;
}

Operation* MseOp::buildLocal(OpBuilder& builder, ValueRange operands,
                             TypeRange results, Shard&) {
  return MseOp::create(builder, getLoc(), results.front(), operands[0],
                       operands[1], builder.getI64IntegerAttr(getDivisor()));
}

}  // namespace sbp::nn
