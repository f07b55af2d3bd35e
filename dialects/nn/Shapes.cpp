#include "dialects/nn/Shapes.h"

#include <algorithm>

#include "dialects/nn/Nn.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {

ArrayRef<int64_t> shapeOf(Type type) {
  return llvm::cast<RankedTensorType>(type).getShape();
}

ArrayRef<int64_t> shapeOf(Value value) { return shapeOf(value.getType()); }

RankedTensorType plainTensor(ArrayRef<int64_t> shape, Type elementType) {
  return RankedTensorType::get(shape, elementType);
}

FailureOr<SmallVector<int64_t>> broadcastShapes(
    std::optional<Location> location, ArrayRef<Type> types) {
  size_t rank = 0;
  for (Type type : types) rank = std::max(rank, shapeOf(type).size());
  SmallVector<int64_t> result(rank, 1);
  for (Type type : types) {
    ArrayRef<int64_t> shape = shapeOf(type);
    size_t missing = rank - shape.size();
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t& common = result[missing + dim];
      if (extent == common || extent == 1) continue;
      if (common == 1) {
        common = extent;
        continue;
      }
      return emitOptionalError(location, "extents ", common, " and ", extent,
                               " do not broadcast, in ", types.front(), " and ",
                               type);
    }
  }
  return result;
}

LogicalResult haveSameElementType(std::optional<Location> location,
                                  ArrayRef<Type> types) {
  Type first = mlir::getElementTypeOrSelf(types.front());
  for (Type type : types.drop_front())
    if (mlir::getElementTypeOrSelf(type) != first)
      return emitOptionalError(location, "element types ", first, " and ",
                               mlir::getElementTypeOrSelf(type), " differ");
  return success();
}

LogicalResult haveSameType(std::optional<Location> location, Type first,
                           Type second) {
  if (haveSameShapes(first, second)) return success();
  return emitOptionalError(location, "needs tensors of one type, but has ",
                           first, " and ", second);
}

LoopNest elementwiseNest(ArrayRef<int64_t> shape, TypeRange operands,
                         size_t numResults) {
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, /*whole=*/-1);
  for (Type type : operands) {
    ArrayRef<int64_t> operand = shapeOf(type);
    size_t missing = shape.size() - operand.size();
    TensorLoops& loops = nest.operands.emplace_back();
    for (auto [dim, extent] : llvm::enumerate(operand)) {
      int64_t loop = missing + dim;
      loops.push_back(extent == shape[loop] ? loop : kNoLoop);
    }
  }
  nest.results.assign(numResults, identityLoops(shape.size()));
  return nest;
}

void passPartial(LoopNest& nest, Reduction reduction,
                 ArrayRef<int64_t> operands) {
  nest.partialPasses.push_back(
      {reduction, llvm::SmallVector<int64_t, 2>(operands)});
}

void passAllPartials(LoopNest& nest, ArrayRef<int64_t> operands) {
  for (Reduction reduction : {Reduction::Sum, Reduction::Max, Reduction::Min})
    passPartial(nest, reduction, operands);
}

LoopNest loopsOver(ArrayRef<int64_t> shape, Loop::Kind kind, int64_t whole) {
  LoopNest nest;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    bool isWhole = static_cast<int64_t>(dim) == whole;
    nest.addLoop({isWhole ? Loop::Kind::Whole : kind, extent});
  }
  return nest;
}

Value firstIndex(OpBuilder& builder, Location location, Value start,
                 int64_t loop, Shard& shard) {
  if (!shard.isSplit(loop)) return start;
  Value begin = shard.beginOf(loop);
  return start ? AddOp::create(builder, location, start, begin) : begin;
}

TensorLoops identityLoops(size_t count) {
  TensorLoops loops;
  for (size_t loop = 0; loop < count; ++loop) loops.push_back(loop);
  return loops;
}

LogicalResult inferLike(Value value, llvm::SmallVectorImpl<Type>& inferred) {
  inferred.push_back(
      plainTensor(shapeOf(value), mlir::getElementTypeOrSelf(value)));
  return success();
}

}  // namespace sbp::nn
