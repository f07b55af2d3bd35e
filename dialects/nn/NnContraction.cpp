// Contractions: einsum, and attention, which consists of two contractions.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {

// ---- Einsum -----------------------------------------------------------------

namespace {

/// Splits an equation such as "bi,ij->bj" into the letters of its tensors.
/// Fails if it has another form, or a letter twice in one tensor. (C1)
FailureOr<EinsumLetters> splitEquation(std::optional<Location> location,
                                       StringRef equation) {
  auto [operands, result] = equation.split("->");
  auto [lhs, rhs] = operands.split(',');
  std::string all = (llvm::Twine(lhs) + rhs + result).str();
  if (!equation.contains("->") || !operands.contains(',') ||
      !llvm::all_of(all, llvm::isAlpha))
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

/// Returns the letters of the operands, each once, in the order of first
/// appearance. Letter i is loop i of the op.
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
  // (C2)
  if (failed(haveSameElementType(location, {lhs, rhs}))) return failure();

  // (C3), and the number of letters of (C1)
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

  // (C4)
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

/// Returns the type of the result of attention. Fails unless the operands have
/// one element type (C1) and the shapes [..., T, D], [..., S, D] and
/// [..., S, E] (C2).
FailureOr<RankedTensorType> attentionResult(std::optional<Location> location,
                                            Type queryType, Type keyType,
                                            Type valueType) {
  auto query = llvm::cast<RankedTensorType>(queryType);
  auto key = llvm::cast<RankedTensorType>(keyType);
  auto value = llvm::cast<RankedTensorType>(valueType);
  if (failed(haveSameElementType(location, {query, key, value})))
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

/// Returns one loop per leading dimension (batch, heads), which may be split,
/// then the loops over rows and over columns, which may not. Each operand and
/// result has the shape [..., rows or columns, features].
LoopNest attentionNest(Value query, Value key, size_t numOperands,
                       size_t numResults) {
  ArrayRef<int64_t> shape = shapeOf(query);
  size_t numBatch = shape.size() - 2;
  LoopNest nest = loopsOver(shape.take_front(numBatch), Loop::Kind::Parallel,
                            /*whole=*/-1);
  nest.addLoop(Loop::whole(shape[numBatch]));
  nest.addLoop(Loop::whole(shapeOf(key)[numBatch]));
  TensorLoops loops = identityLoops(numBatch);
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
  if (failed(result) ||  // (C1), (C2)
      failed(haveSameType(location, *result,
                          adaptor.getGradient().getType())))  // (C3)
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

}  // namespace sbp::nn
