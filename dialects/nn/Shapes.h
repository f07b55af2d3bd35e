// Shapes and loops that several ops of the nn dialect have in common. Internal
// to the dialect.

#ifndef DIALECTS_NN_SHAPES_H_
#define DIALECTS_NN_SHAPES_H_

#include <optional>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"

namespace sbp::nn {

/// The shape of a tensor type.
ArrayRef<int64_t> shapeOf(Value value);
ArrayRef<int64_t> shapeOf(Type type);

/// The type of a tensor without placement.
RankedTensorType plainTensor(ArrayRef<int64_t> shape, Type elementType);

/// The shape to which all of `types` broadcast: aligned at the last dimension,
/// an extent of 1 or a missing dimension repeats. Fails with a diagnostic at
/// `location`, when given, that names the two extents.
FailureOr<SmallVector<int64_t>> broadcastShapes(
    std::optional<Location> location, ArrayRef<Type> types);

/// Fails unless all of `types` have one element type.
LogicalResult haveOneElementType(std::optional<Location> location,
                                 ArrayRef<Type> types);

/// Fails unless the two types have one shape and one element type.
LogicalResult haveOneShape(std::optional<Location> location, Type first,
                           Type second);

/// Loops of an op that computes each element of its results (all of shape
/// `shape`) from the elements of its operands at the same place, broadcasting:
/// one parallel loop per dimension.
LoopNest elementwiseNest(ArrayRef<int64_t> shape, TypeRange operands,
                         size_t numResults);

/// Adds passes of sum, max and min together through `operands`.
void passAllPartials(LoopNest& nest, ArrayRef<int64_t> operands);

/// Adds a pass of `reduction` through `operands` together.
void passPartial(LoopNest& nest, Reduction reduction,
                 ArrayRef<int64_t> operands);

/// Loops over the dimensions of `shape`, of kind `kind`, except the dimension
/// `whole`, which is not split (none is when it is negative). Loop i runs over
/// dimension i.
LoopNest loopsOver(ArrayRef<int64_t> shape, Loop::Kind kind, int64_t whole);

/// The first index of this rank's part of `loop`, as a tensor<i64>, when the
/// whole begins at `start` (null means 0): null when the rank has all of a loop
/// that begins at 0.
Value firstIndex(OpBuilder& builder, Location location, Value start,
                 int64_t loop, Shard& shard);

/// [0, 1, ..., count - 1]: each dimension is indexed by the loop of its number.
TensorLoops firstLoops(size_t count);

/// Infers a result of the shape and element type of `value`.
LogicalResult inferLike(Value value, llvm::SmallVectorImpl<Type>& inferred);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_SHAPES_H_
