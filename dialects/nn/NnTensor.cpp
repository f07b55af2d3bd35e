// Contractions, reductions, normalisations, look-ups and losses.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {

// ---- Einsum -----------------------------------------------------------------

namespace {

/// Splits "bi,ij->bj"; fails when the text has another form. (C1)
FailureOr<EinsumLetters> splitEquation(std::optional<Location> location,
                                       StringRef equation) {
  auto [operands, result] = equation.split("->");
  auto [lhs, rhs] = operands.split(',');
  bool isWellFormed = equation.contains("->") && operands.contains(',') &&
                      llvm::all_of((llvm::Twine(lhs) + rhs + result).str(), llvm::isAlpha);
  if (!isWellFormed)
    return emitOptionalError(location, "equation \"", equation,
                             "\" is not of the form \"bi,ij->bj\"");
  for (StringRef letters : {lhs, rhs, result})
    for (auto [index, letter] : llvm::enumerate(letters))
      if (letters.find(letter, index + 1) != StringRef::npos)
        return emitOptionalError(location, "equation \"", equation,
                                 "\" has the letter '", std::string(1, letter),
                                 "' twice in one tensor");
  return EinsumLetters{lhs, rhs, result};
}

/// One loop per letter, in the order of first appearance.
std::string lettersInOrder(const EinsumLetters& letters) {
  std::string order;
  for (StringRef part : {letters.lhs, letters.rhs})
    for (char letter : part)
      if (!StringRef(order).contains(letter)) order.push_back(letter);
  return order;
}

}  // namespace

EinsumLetters EinsumOp::getLetters() {
  auto [operands, result] = getEquation().split("->");
  auto [lhs, rhs] = operands.split(',');
  return {lhs, rhs, result};
}

LogicalResult EinsumOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  StringRef equation = adaptor.getEquation();
  FailureOr<EinsumLetters> letters = splitEquation(location, equation);
  if (failed(letters)) return failure();
  Type lhs = adaptor.getLhs().getType();
  Type rhs = adaptor.getRhs().getType();
  if (failed(haveOneElementType(location, {lhs, rhs}))) return failure();

  // (C2)
  SmallVector<int64_t> extentOf(256, -1);
  for (auto [part, type] :
       {std::pair(letters->lhs, lhs), std::pair(letters->rhs, rhs)}) {
    ArrayRef<int64_t> shape = shapeOf(type);
    if (part.size() != shape.size())
      return emitOptionalError(location, "equation \"", equation, "\" has ",
                               part.size(), " letters for ", type);
    for (auto [letter, extent] : llvm::zip(part, shape)) {
      int64_t& known = extentOf[static_cast<unsigned char>(letter)];
      if (known != -1 && known != extent)
        return emitOptionalError(location, "equation \"", equation,
                                 "\" gives '", std::string(1, letter),
                                 "' the extents ", known, " and ", extent,
                                 ", in ", lhs, " and ", rhs);
      known = extent;
    }
  }

  // (C3)
  SmallVector<int64_t> shape;
  for (char letter : letters->result) {
    int64_t extent = extentOf[static_cast<unsigned char>(letter)];
    if (extent == -1)
      return emitOptionalError(location, "equation \"", equation, "\" has '",
                               std::string(1, letter),
                               "' in the result but in no operand");
    shape.push_back(extent);
  }
  for (char letter : lettersInOrder(*letters))
    if (letters->lhs.contains(letter) != letters->rhs.contains(letter) &&
        !letters->result.contains(letter))
      return emitOptionalError(
          location, "equation \"", equation, "\" sums '",
          std::string(1, letter),
          "', which is in one operand only; sum it first by nn.reduce");
  inferred.push_back(plainTensor(shape, mlir::getElementTypeOrSelf(lhs)));
  return success();
}

LoopNest EinsumOp::getLoopNest() {
  EinsumLetters letters = getLetters();
  std::string order = lettersInOrder(letters);
  LoopNest nest;
  for (char letter : order) {
    size_t dim = letters.lhs.find(letter);
    int64_t extent = dim != StringRef::npos
                         ? shapeOf(getLhs())[dim]
                         : shapeOf(getRhs())[letters.rhs.find(letter)];
    nest.addLoop(letters.result.contains(letter)
                     ? Loop::parallel(extent)
                     : Loop::reduce(extent, Reduction::Sum));
  }
  auto loopsOf = [&](StringRef part) {
    TensorLoops loops;
    for (char letter : part) loops.push_back(order.find(letter));
    return loops;
  };
  nest.operands = {loopsOf(letters.lhs), loopsOf(letters.rhs)};
  nest.results = {loopsOf(letters.result)};
  nest.flopsPerPoint = 2;
  passPartial(nest, Reduction::Sum, {0});
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

// ---- Attention --------------------------------------------------------------

namespace {

/// The type of the result of attention. Fails unless the operands are
/// [..., T, D], [..., S, D] and [..., S, E].
FailureOr<RankedTensorType> attentionResult(std::optional<Location> location,
                                            Type queryType, Type keyType,
                                            Type valueType) {
  auto query = llvm::cast<RankedTensorType>(queryType);
  auto key = llvm::cast<RankedTensorType>(keyType);
  auto value = llvm::cast<RankedTensorType>(valueType);
  if (failed(haveOneElementType(location, {query, key, value})))
    return failure();
  int64_t rank = query.getRank();
  bool fits = rank >= 2 && key.getRank() == rank && value.getRank() == rank &&
              query.getShape().drop_back(2) == key.getShape().drop_back(2) &&
              key.getShape().drop_back(1) == value.getShape().drop_back(1) &&
              query.getShape().back() == key.getShape().back();
  if (!fits)
    return emitOptionalError(
        location, "query ", query, ", key ", key, " and value ", value,
        " are not [..., T, D], [..., S, D] and [..., S, E]");
  SmallVector<int64_t> shape(query.getShape());
  shape.back() = value.getShape().back();
  return plainTensor(shape, query.getElementType());
}

}  // namespace

LogicalResult AttentionOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto result =
      attentionResult(location, adaptor.getQuery().getType(),
                      adaptor.getKey().getType(), adaptor.getValue().getType());
  if (failed(result)) return failure();
  inferred.push_back(*result);
  return success();
}

namespace {

/// Loops over batch and heads, which may be split, and over rows and columns,
/// which may not. All tensors have the shape [..., rows or columns, features].
LoopNest attentionNest(Value query, Value key, size_t numOperands,
                       size_t numResults) {
  ArrayRef<int64_t> shape = shapeOf(query);
  size_t numBatch = shape.size() - 2;
  LoopNest nest = loopsOver(shape.take_front(numBatch), Loop::Kind::Parallel,
                            /*whole=*/-1);
  nest.addLoop(Loop::whole(shape[numBatch]));
  nest.addLoop(Loop::whole(shapeOf(key)[numBatch]));
  TensorLoops loops = firstLoops(numBatch);
  loops.append(2, kNoLoop);
  nest.operands.assign(numOperands, loops);
  nest.results.assign(numResults, loops);
  return nest;
}

}  // namespace

LoopNest AttentionOp::getLoopNest() {
  LoopNest nest = attentionNest(getQuery(), getKey(), 3, 1);
  double features = shapeOf(getQuery()).back() + shapeOf(getValue()).back();
  nest.flopsPerPoint = 2 * features * (getCausal() ? 0.5 : 1.0);
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

LogicalResult AttentionGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto result =
      attentionResult(location, adaptor.getQuery().getType(),
                      adaptor.getKey().getType(), adaptor.getValue().getType());
  if (failed(result) ||
      failed(haveOneShape(location, *result, adaptor.getGradient().getType())))
    return failure();
  for (Value value : {adaptor.getQuery(), adaptor.getKey(), adaptor.getValue()})
    inferred.push_back(
        plainTensor(shapeOf(value), mlir::getElementTypeOrSelf(value)));
  return success();
}

LoopNest AttentionGradOp::getLoopNest() {
  LoopNest nest = attentionNest(getQuery(), getKey(), 4, 3);
  double features =
      3 * shapeOf(getQuery()).back() + 2 * shapeOf(getValue()).back();
  nest.flopsPerPoint = 2 * features * (getCausal() ? 0.5 : 1.0);
  passPartial(nest, Reduction::Sum, {3});
  return nest;
}

// ---- Reduce -----------------------------------------------------------------

LogicalResult ReduceOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
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
  if (adaptor.getKind() == ReduceKind::Mean &&
      !llvm::isa<mlir::FloatType>(type.getElementType()))
    return emitOptionalError(location, "takes the mean of ",
                             type.getElementType(), ", which has no fractions");
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
  nest.operands.push_back(firstLoops(shape.size()));
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

LogicalResult checkSoftmaxDim(std::optional<Location> location, Type type,
                              int64_t dim) {
  int64_t rank = shapeOf(type).size();
  if (dim >= 0 && dim < rank) return success();
  return emitOptionalError(location, "normalises dimension ", dim,
                           " of a tensor of rank ", rank);
}

/// Loops of an op whose rows along `dim` are independent of each other.
LoopNest rowsNest(Operation* op, int64_t dim) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, dim);
  nest.operands.assign(op->getNumOperands(), firstLoops(shape.size()));
  nest.results.push_back(firstLoops(shape.size()));
  nest.flopsPerPoint = 4;
  return nest;
}

LogicalResult inferLike(Value value, llvm::SmallVectorImpl<Type>& inferred) {
  inferred.push_back(
      plainTensor(shapeOf(value), mlir::getElementTypeOrSelf(value)));
  return success();
}

}  // namespace

LogicalResult SoftmaxOp::verify() {
  return checkSoftmaxDim(getLoc(), getType(), getDim());
}
LogicalResult LogSoftmaxOp::verify() {
  return checkSoftmaxDim(getLoc(), getType(), getDim());
}
LoopNest SoftmaxOp::getLoopNest() { return rowsNest(*this, getDim()); }
LoopNest LogSoftmaxOp::getLoopNest() { return rowsNest(*this, getDim()); }

namespace {

template <typename Adaptor>
LogicalResult inferSoftmaxGrad(std::optional<Location> location,
                               Adaptor adaptor,
                               llvm::SmallVectorImpl<Type>& inferred) {
  Type output = adaptor.getOutput().getType();
  if (failed(checkSoftmaxDim(location, output, adaptor.getDim())) ||
      failed(haveOneShape(location, output, adaptor.getGradient().getType())))
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

/// Fails unless each of `vectors` has the extent of the input's last dimension.
LogicalResult checkVectors(std::optional<Location> location, Type input,
                           ArrayRef<Type> vectors) {
  ArrayRef<int64_t> shape = shapeOf(input);
  if (shape.empty())
    return emitOptionalError(location, "normalises the last dimension of ",
                             input, ", which has none");
  for (Type vector : vectors) {
    if (failed(haveOneElementType(location, {input, vector}))) return failure();
    if (shapeOf(vector) != shape.take_back())
      return emitOptionalError(location, "scales a last dimension of extent ",
                               shape.back(), " by ", vector);
  }
  return success();
}

/// Loops of a normalisation: rows are independent, the last dimension is whole.
/// With `sumRows`, results that are vectors sum over the rows.
LoopNest normNest(Operation* op, bool sumRows) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t last = shape.size() - 1;
  LoopNest nest = loopsOver(
      shape, sumRows ? Loop::Kind::Reduction : Loop::Kind::Parallel, last);
  auto loopsOf = [&](Value value) {
    if (shapeOf(value).size() == shape.size() && shapeOf(value) == shape &&
        shape.size() > 1)
      return firstLoops(shape.size());
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
  if (failed(checkVectors(location, adaptor.getInput().getType(),
                          {adaptor.getGamma().getType()})) ||
      failed(haveOneShape(location, adaptor.getInput().getType(),
                          adaptor.getGradient().getType())))
    return failure();
  (void)inferLike(adaptor.getInput(), inferred);
  (void)inferLike(adaptor.getGamma(), inferred);
  return inferLike(adaptor.getGamma(), inferred);
}

LoopNest LayerNormGradOp::getLoopNest() {
  LoopNest nest = normNest(*this, /*sumRows=*/true);
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

LogicalResult RmsNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(checkVectors(location, adaptor.getInput().getType(),
                          {adaptor.getGamma().getType()})) ||
      failed(haveOneShape(location, adaptor.getInput().getType(),
                          adaptor.getGradient().getType())))
    return failure();
  (void)inferLike(adaptor.getInput(), inferred);
  return inferLike(adaptor.getGamma(), inferred);
}

LoopNest RmsNormGradOp::getLoopNest() {
  LoopNest nest = normNest(*this, /*sumRows=*/true);
  passPartial(nest, Reduction::Sum, {2});
  return nest;
}

// ---- Embedding --------------------------------------------------------------

LogicalResult EmbeddingOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto table = llvm::cast<RankedTensorType>(adaptor.getTable().getType());
  if (table.getRank() != 2)
    return emitOptionalError(location, "looks rows up in ", table,
                             ", which is no matrix");
  SmallVector<int64_t> shape(shapeOf(adaptor.getIndices()));
  shape.push_back(table.getDimSize(1));
  inferred.push_back(plainTensor(shape, table.getElementType()));
  return success();
}

namespace {

/// Loops of an embedding: one per dimension of the indices, then the rows of
/// the table, then its columns. Going forward the rows are summed over; going
/// backward the indices are.
LoopNest embeddingNest(ArrayRef<int64_t> indices, ArrayRef<int64_t> table,
                       bool isBackward) {
  LoopNest nest = loopsOver(
      indices, isBackward ? Loop::Kind::Reduction : Loop::Kind::Parallel,
      /*whole=*/-1);
  int64_t row =
      nest.addLoop(isBackward ? Loop::parallel(table[0])
                              : Loop::reduce(table[0], Reduction::Sum));
  int64_t column = nest.addLoop(Loop::parallel(table[1]));
  TensorLoops index = firstLoops(indices.size());
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

/// The index of the first row of this rank's part of the table; `operands` are
/// those of an embedding or its gradient.
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

LogicalResult EmbeddingGradOp::verify() {
  ArrayRef<int64_t> indices = shapeOf(getIndices());
  ArrayRef<int64_t> gradient = shapeOf(getGradient());
  ArrayRef<int64_t> table = shapeOf(getResult());
  if (failed(haveOneElementType(
          getLoc(), {getGradient().getType(), getResult().getType()})))
    return failure();
  if (table.size() == 2 && gradient.size() == indices.size() + 1 &&
      gradient.drop_back() == indices && gradient.back() == table[1])
    return success();
  return emitOpError() << "adds rows of " << getGradient().getType()
                       << ", indexed by " << getIndices().getType() << ", to "
                       << getResult().getType();
}

LoopNest EmbeddingGradOp::getLoopNest() {
  LoopNest nest =
      embeddingNest(shapeOf(getIndices()), shapeOf(getResult()), true);
  if (getFirstRow()) nest.operands.emplace_back();
  return nest;
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

LogicalResult checkLabels(std::optional<Location> location, Type logits,
                          Type labels) {
  if (!shapeOf(logits).empty() &&
      shapeOf(logits).drop_back() == shapeOf(labels))
    return success();
  return emitOptionalError(location, "compares logits ", logits,
                           " with labels ", labels,
                           "; they must have the logits' leading dimensions");
}

int64_t countOf(std::optional<uint64_t> count, Value tensor) {
  if (count) return *count;
  return llvm::cast<RankedTensorType>(tensor.getType()).getNumElements();
}

/// Loops over the labels, and the classes, which are whole.
LoopNest labelsNest(ArrayRef<int64_t> logits, Loop::Kind kind) {
  LoopNest nest = loopsOver(logits, kind, logits.size() - 1);
  nest.operands = {firstLoops(logits.size()), firstLoops(logits.size() - 1)};
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
  nest.results.push_back(firstLoops(shape.size()));
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

LogicalResult MseOp::inferReturnTypes(MLIRContext*,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      llvm::SmallVectorImpl<Type>& inferred) {
  Type lhs = adaptor.getLhs().getType();
  Type rhs = adaptor.getRhs().getType();
  if (!haveSameShapes(lhs, rhs))
    return emitOptionalError(location, "compares ", lhs, " with ", rhs);
  inferred.push_back(plainTensor({}, mlir::getElementTypeOrSelf(lhs)));
  return success();
}

int64_t MseOp::getDivisor() { return countOf(getCount(), getLhs()); }

LoopNest MseOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getLhs());
  LoopNest nest = loopsOver(shape, Loop::Kind::Reduction, /*whole=*/-1);
  nest.operands.assign(2, firstLoops(shape.size()));
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
