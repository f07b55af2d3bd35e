// Ops that rearrange, repeat, cut or join tensors without computing.

#include <numeric>

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// Fails unless `dim` is a dimension of a tensor of rank `rank`.
LogicalResult checkDim(std::optional<Location> location, int64_t dim,
                       size_t rank) {
  if (dim >= 0 && dim < static_cast<int64_t>(rank)) return success();
  return emitOptionalError(location, "dimension ", dim,
                           " is none of a tensor of rank ", rank);
}

/// Fails unless `count`, the number of `what`, is `rank`.
LogicalResult checkCount(std::optional<Location> location, StringRef what,
                         size_t count, size_t rank) {
  if (count == rank) return success();
  return emitOptionalError(location, "has ", count, " ", what,
                           " for a tensor of rank ", rank);
}

/// Returns the loops of an op that cuts or pads dimensions. A dimension whose
/// extent does not change may be split. Other dimensions may not be split,
/// because a part of the result does not correspond to a part of the input.
LoopNest resizeNest(Value input, Value result) {
  LoopNest nest;
  ArrayRef<int64_t> from = shapeOf(input);
  ArrayRef<int64_t> to = shapeOf(result);
  for (auto [before, after] : llvm::zip(from, to))
    nest.addLoop(before == after ? Loop::parallel(after) : Loop::whole(after));
  nest.operands.push_back(identityLoops(from.size()));
  nest.results.push_back(identityLoops(to.size()));
  nest.flopsPerPoint = 0;
  return nest;
}

}  // namespace

// ---- Reshape ----------------------------------------------------------------

LogicalResult ReshapeOp::verify() {
  auto from = llvm::cast<RankedTensorType>(getInput().getType());
  auto to = llvm::cast<RankedTensorType>(getResult().getType());
  // (C1)
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "changes the element type from "
                         << from.getElementType() << " to "
                         << to.getElementType();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "changes " << from << " with "
                         << from.getNumElements() << " elements to " << to
                         << " with " << to.getNumElements();
  return success();
}

// Walks both shapes at once, in groups of dimensions with equal products of
// extents:
//
//   8 x 32 x 64  ->  256 x 8 x 8      groups {8, 32} -> {256}, {64} -> {8, 8}
//
// Only the leading dimension of a group can be split, since only then a part of
// the input corresponds to a part of the result. Dimensions of extent 1 are
// skipped.
LoopNest ReshapeOp::getLoopNest() {
  ArrayRef<int64_t> from = shapeOf(getInput());
  ArrayRef<int64_t> to = shapeOf(getResult());
  LoopNest nest;
  nest.operands.emplace_back(from.size(), kNoLoop);
  nest.results.emplace_back(to.size(), kNoLoop);
  nest.flopsPerPoint = 0;
  passAllPartials(nest, {0});
  if (llvm::is_contained(from, 0)) return nest;

  size_t i = 0, o = 0;
  while (true) {
    while (i < from.size() && from[i] == 1) ++i;
    while (o < to.size() && to[o] == 1) ++o;
    if (i == from.size() || o == to.size()) return nest;

    Loop loop = Loop::parallel(std::gcd(from[i], to[o]));
    loop.evenOnly = from[i] != to[o];
    int64_t index = nest.addLoop(loop);
    nest.operands[0][i] = index;
    nest.results[0][o] = index;

    int64_t fromCount = from[i++];
    int64_t toCount = to[o++];
    while (fromCount != toCount)
      if (fromCount < toCount)
        fromCount *= from[i++];
      else
        toCount *= to[o++];
  }
}

// ---- Transpose --------------------------------------------------------------

LogicalResult TransposeOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  // (C1)
  if (failed(checkCount(location, "permuted dimensions", permutation.size(),
                        type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  SmallVector<bool> isTaken(type.getRank(), false);
  for (int64_t dim : permutation) {
    if (failed(checkDim(location, dim, type.getRank()))) return failure();
    if (isTaken[dim])
      return emitOptionalError(location, "takes dimension ", dim, " twice");
    isTaken[dim] = true;
    shape.push_back(type.getDimSize(dim));
  }
  inferred.push_back(plainTensor(shape, type.getElementType()));
  return success();
}

LoopNest TransposeOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, /*whole=*/-1);
  nest.operands.push_back(identityLoops(shape.size()));
  nest.results.emplace_back(getPermutation());
  nest.flopsPerPoint = 0;
  passAllPartials(nest, {0});
  return nest;
}

// ---- Broadcast --------------------------------------------------------------

LogicalResult BroadcastOp::verify() {
  // (C1)
  Type from = mlir::getElementTypeOrSelf(getInput());
  Type to = mlir::getElementTypeOrSelf(getResult());
  if (from != to)
    return emitOpError() << "changes the element type from " << from << " to "
                         << to;
  // (C2)
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(
      std::nullopt, {getInput().getType(), getResult().getType()});
  if (succeeded(shape) && ArrayRef<int64_t>(*shape) == shapeOf(getResult()))
    return success();
  return emitOpError() << "repeats " << getInput().getType() << " to "
                       << getResult().getType()
                       << ", to which it does not broadcast";
}

LoopNest BroadcastOp::getLoopNest() {
  LoopNest nest = elementwiseNest(shapeOf(getResult()),
                                  getOperation()->getOperandTypes(), 1);
  nest.flopsPerPoint = 0;
  passAllPartials(nest, {0});
  return nest;
}

// ---- Slice and pad ----------------------------------------------------------

LogicalResult SliceOp::inferReturnTypes(MLIRContext*,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> offsets = adaptor.getOffsets();
  ArrayRef<int64_t> sizes = adaptor.getSizes();
  // (C1)
  if (failed(checkCount(location, "offsets", offsets.size(), type.getRank())) ||
      failed(checkCount(location, "sizes", sizes.size(), type.getRank())))
    return failure();
  // (C2)
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (offsets[dim] < 0 || sizes[dim] < 0 ||
        offsets[dim] + sizes[dim] > type.getDimSize(dim))
      return emitOptionalError(
          location, "takes [", offsets[dim], ", ", offsets[dim] + sizes[dim],
          ") of dimension ", dim, ", which has extent ", type.getDimSize(dim));
  inferred.push_back(plainTensor(sizes, type.getElementType()));
  return success();
}

LoopNest SliceOp::getLoopNest() {
  LoopNest nest = resizeNest(getInput(), getResult());
  passAllPartials(nest, {0});
  return nest;
}

Operation* SliceOp::buildLocal(OpBuilder& builder, ValueRange operands,
                               TypeRange results, Shard&) {
  return SliceOp::create(builder, getLoc(), results.front(), operands.front(),
                         getOffsets(), shapeOf(results.front()));
}

LogicalResult PadOp::inferReturnTypes(MLIRContext*,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> low = adaptor.getLow();
  ArrayRef<int64_t> high = adaptor.getHigh();
  // (C1)
  if (failed(checkCount(location, "low pads", low.size(), type.getRank())) ||
      failed(checkCount(location, "high pads", high.size(), type.getRank())))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    // (C2)
    if (low[dim] < 0 || high[dim] < 0)
      return emitOptionalError(location, "pads dimension ", dim, " by ",
                               low[dim], " and ", high[dim],
                               "; neither may be negative");
    extent += low[dim] + high[dim];
  }
  inferred.push_back(plainTensor(shape, type.getElementType()));
  return success();
}

LoopNest PadOp::getLoopNest() {
  LoopNest nest = resizeNest(getInput(), getResult());
  // Zeros are the neutral element of sums, but not of maxima and minima.
  passPartial(nest, Reduction::Sum, {0});
  return nest;
}

// ---- Part -------------------------------------------------------------------

LogicalResult PartOp::inferReturnTypes(MLIRContext*,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getInput().getType());
  auto dim = static_cast<int64_t>(adaptor.getDim());
  // (C1)
  if (failed(checkDim(location, dim, type.getRank()))) return failure();
  // (C2)
  if (type.getDimSize(dim) == 0)
    return emitOptionalError(location, "takes an element of dimension ", dim,
                             " of ", type, ", which has none");
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  inferred.push_back(plainTensor(shape, type.getElementType()));
  return success();
}

LoopNest PartOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  auto dim = static_cast<int64_t>(getDim());
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, /*whole=*/dim);
  TensorLoops loops = identityLoops(shape.size());
  nest.operands = {{}, loops};
  loops.erase(loops.begin() + dim);
  nest.results.push_back(loops);
  nest.flopsPerPoint = 0;
  passAllPartials(nest, {1});
  return nest;
}

std::optional<int64_t> PartOp::getIndexBound(mlir::OpOperand& operand) {
  if (operand.get() != getIndex()) return std::nullopt;
  return shapeOf(getInput())[getDim()];
}

// ---- Concat -----------------------------------------------------------------

LogicalResult ConcatOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  // (C1)
  if (adaptor.getInputs().empty())
    return emitOptionalError(location,
                             "joins no tensors; it needs at least one");
  SmallVector<Type> types(ValueRange(adaptor.getInputs()).getTypes());
  // (C2)
  if (failed(haveSameElementType(location, types))) return failure();
  int64_t joined = adaptor.getDim();
  auto first = llvm::cast<RankedTensorType>(types.front());
  // (C3)
  if (failed(checkDim(location, joined, first.getRank()))) return failure();
  // (C4)
  SmallVector<int64_t> shape(first.getShape());
  for (Type type : ArrayRef<Type>(types).drop_front()) {
    ArrayRef<int64_t> other = shapeOf(type);
    bool fits = other.size() == shape.size();
    for (size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = static_cast<int64_t>(dim) == joined || other[dim] == shape[dim];
    if (!fits)
      return emitOptionalError(location, first, " and ", type,
                               " do not join along dimension ", joined);
    shape[joined] += other[joined];
  }
  inferred.push_back(plainTensor(shape, first.getElementType()));
  return success();
}

LoopNest ConcatOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getResult());
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, getDim());
  SmallVector<int64_t> all;
  for (size_t operand = 0; operand < getInputs().size(); ++operand) {
    nest.operands.push_back(identityLoops(shape.size()));
    all.push_back(operand);
  }
  nest.results.push_back(identityLoops(shape.size()));
  nest.flopsPerPoint = 0;
  passAllPartials(nest, all);
  return nest;
}

}  // namespace sbp::nn
