// Checks and local forms that all ops with windows share. Internal to the
// dialect.

#ifndef DIALECTS_NN_WINDOWEDSPACE_H_
#define DIALECTS_NN_WINDOWEDSPACE_H_

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/nn/Window.h"

namespace sbp::nn {

/// Returns the windows of `op`, with the extents `extents`.
template <typename WindowOp>
Windows windowsOf(WindowOp op, ArrayRef<int64_t> extents) {
  return windowsOf(extents, op.getStrides(), op.getLow(), op.getHigh(),
                   op.getDilations());
}

/// Fails at `op` unless `list` is missing or has `numSpace` entries of at least
/// `least`. `what` is the name of the list in diagnostics.
LogicalResult checkWindowList(Operation* op, StringRef what,
                              std::optional<ArrayRef<int64_t>> list,
                              size_t numSpace, int64_t least);

/// Fails at `op` unless `firstIn` lists one spatial dimension for each of the
/// `numFirst` operands `first` of `op`, ascending and below `numSpace`.
LogicalResult checkFirst(Operation* op, size_t numFirst,
                         ArrayRef<int64_t> firstIn, size_t numSpace);

/// Returns the spatial dimensions of the operands `first` of `op`.
template <typename WindowOp>
ArrayRef<int64_t> dimsOfFirst(WindowOp op) {
  return op.getFirstIn().value_or(ArrayRef<int64_t>());
}

/// Fails unless the strides, paddings, dilations and first outputs of `op` are
/// valid for `numSpace` spatial dimensions.
template <typename WindowOp>
LogicalResult checkWindowLists(WindowOp op, size_t numSpace) {
  return success(
      succeeded(checkWindowList(op, "strides", op.getStrides(), numSpace, 1)) &&
      succeeded(checkWindowList(op, "low pads", op.getLow(), numSpace, 0)) &&
      succeeded(checkWindowList(op, "high pads", op.getHigh(), numSpace, 0)) &&
      succeeded(
          checkWindowList(op, "dilations", op.getDilations(), numSpace, 1)) &&
      succeeded(
          checkFirst(op, op.getFirst().size(), dimsOfFirst(op), numSpace)));
}

/// Fails at `op` unless each window has at least one element and, along each
/// spatial dimension, the extent of `output` equals the number of windows that
/// fit in `input`. If `isPart`, `output` is a part of the outputs, and its
/// extents may be smaller.
LogicalResult checkOutputs(Operation* op, const Windows& windows, Type input,
                           Type output, bool isPart);

template <typename WindowOp>
LogicalResult checkOutputs(WindowOp op, Type input, Type output) {
  return checkOutputs(op, op.getWindows(), input, output,
                      /*isPart=*/!op.getFirst().empty());
}

/// Indices of the first outputs along some spatial dimensions: one tensor<i64>
/// in `values` for each dimension in `dims`. Along other dimensions the first
/// output is 0.
struct FirstOutputs {
  SmallVector<Value> values;
  SmallVector<int64_t> dims;
};

/// Returns the first outputs of this rank's part of an op. `whole` has the
/// first outputs of the op before it is divided. The loop of the op over the
/// outputs along spatial dimension i, of `numSpace`, is loop `spaceLoop` + i.
FirstOutputs firstOfPart(OpBuilder& builder, Location location,
                         const FirstOutputs& whole, size_t numSpace,
                         int64_t spaceLoop, Shard& shard);

/// Builds the local form of `op`, whose loop over the outputs along spatial
/// dimension i is loop `spaceLoop` + i.
template <typename WindowOp>
Operation* buildLocalWindows(WindowOp op, OpBuilder& builder,
                             ValueRange operands, TypeRange results,
                             int64_t spaceLoop, Shard& shard) {
  size_t numFirst = op.getFirst().size();
  FirstOutputs whole = {llvm::to_vector_of<Value>(operands.take_back(numFirst)),
                        SmallVector<int64_t>(dimsOfFirst(op))};
  FirstOutputs part = firstOfPart(builder, op.getLoc(), whole,
                                  op.getWindows().size(), spaceLoop, shard);
  SmallVector<Value> local(operands.drop_back(numFirst));
  local.append(part.values);
  auto result =
      llvm::cast<WindowOp>(cloneWithTypes(builder, op, local, results));
  if (part.dims.empty())
    result.removeFirstInAttr();
  else
    result.setFirstIn(part.dims);
  return result;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_WINDOWEDSPACE_H_
