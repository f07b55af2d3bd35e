// Checks of types, and loop nests, that several ops of the nn dialect share.
// Internal to the dialect.

#ifndef DIALECTS_NN_SHAPES_H_
#define DIALECTS_NN_SHAPES_H_

#include <optional>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"

namespace sbp::nn {

/// Returns the shape of a tensor type, or of the type of a tensor value.
ArrayRef<int64_t> shapeOf(Value value);
ArrayRef<int64_t> shapeOf(Type type);

/// Returns the type of a tensor of this shape, without a placement.
RankedTensorType plainTensor(ArrayRef<int64_t> shape, Type elementType);

/// Returns the shape to which all of `types` broadcast. The shapes are aligned
/// at their last dimensions; an extent of 1, or a missing dimension, repeats.
/// Fails if two extents do not fit, with a diagnostic at `location`, if given.
FailureOr<SmallVector<int64_t>> broadcastShapes(
    std::optional<Location> location, ArrayRef<Type> types);

/// Fails unless all of `types` have the same element type, with a diagnostic at
/// `location`, if given.
LogicalResult haveSameElementType(std::optional<Location> location,
                                  ArrayRef<Type> types);

/// Fails unless the two types have the same shape and the same element type,
/// with a diagnostic at `location`, if given.
LogicalResult haveSameType(std::optional<Location> location, Type first,
                           Type second);

/// Returns the loops of an elementwise op with `numResults` results of shape
/// `shape`: one parallel loop per dimension. `operands` are the types of the
/// operands, which broadcast to `shape`.
LoopNest elementwiseNest(ArrayRef<int64_t> shape, TypeRange operands,
                         size_t numResults);

/// Adds to `nest` one PartialPass (LoopNest.h) for each reduction: sum, max and
/// min. In each, all of `operands` are Partial at once.
void passAllPartials(LoopNest& nest, ArrayRef<int64_t> operands);

/// Adds to `nest` one PartialPass of `reduction`, in which all of `operands`
/// are Partial at once.
void passPartial(LoopNest& nest, Reduction reduction,
                 ArrayRef<int64_t> operands);

/// Returns a nest with one loop of kind `kind` per dimension of `shape`, where
/// loop i runs over dimension i, and with no operands or results yet. If
/// `whole` is not negative, the loop over dimension `whole` has kind Whole
/// instead: it is never split.
LoopNest loopsOver(ArrayRef<int64_t> shape, Loop::Kind kind, int64_t whole);

/// Returns the first index of this rank's part of `loop`, as a tensor<i64>. The
/// whole loop begins at `start`; null stands for 0, as an argument and as a
/// result. The result is `start` if no mesh axis splits the loop.
Value firstIndex(OpBuilder& builder, Location location, Value start,
                 int64_t loop, Shard& shard);

/// Returns [0, 1, ..., count - 1], the loops of a tensor in which loop i
/// indexes dimension i.
TensorLoops identityLoops(size_t count);

/// Appends the type of `value`, without its placement, to `inferred`. Always
/// succeeds.
LogicalResult inferLike(Value value, llvm::SmallVectorImpl<Type>& inferred);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_SHAPES_H_
