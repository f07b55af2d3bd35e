// What the ops with windows check and build alike. Internal to the dialect.

#ifndef DIALECTS_NN_WINDOWEDSPACE_H_
#define DIALECTS_NN_WINDOWEDSPACE_H_

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/nn/Window.h"

namespace sbp::nn {

/// The windows of an op, whose extents are `extents`.
template <typename WindowOp>
Windows windowsOf(WindowOp op, ArrayRef<int64_t> extents) {
  return windowsOf(extents, op.getStrides(), op.getLow(), op.getHigh(),
                   op.getDilations());
}

/// Fails at `op` unless `list`, the numbers that it calls `what`, is missing or
/// has `numSpace` entries of at least `least`.
LogicalResult checkWindowList(Operation* op, StringRef what,
                              std::optional<ArrayRef<int64_t>> list,
                              size_t numSpace, int64_t least);

/// Fails at `op` unless its `numFirst` first outputs are in as many dimensions,
/// `firstIn`, of its `numSpace`, in order.
LogicalResult checkFirst(Operation* op, size_t numFirst,
                         ArrayRef<int64_t> firstIn, size_t numSpace);

/// The dimensions of space in which an op's `first` operands say where its
/// outputs begin.
template <typename WindowOp>
ArrayRef<int64_t> dimsOfFirst(WindowOp op) {
  return op.getFirstIn().value_or(ArrayRef<int64_t>());
}

/// Fails at an op with wrong strides, paddings, dilations, or first outputs.
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

/// Fails at `op` unless as many of `windows` fit `input` as `output` has in
/// each dimension of space, or at least as many if it is a `part` of them.
LogicalResult checkOutputs(Operation* op, const Windows& windows, Type input,
                           Type output, bool isPart);

template <typename WindowOp>
LogicalResult checkOutputs(WindowOp op, Type input, Type output) {
  return checkOutputs(op, op.getWindows(), input, output,
                      /*isPart=*/!op.getFirst().empty());
}

/// The first outputs of an op, and the dimensions of space that they are in.
struct FirstOutputs {
  SmallVector<Value> values;
  SmallVector<int64_t> dims;
};

/// Where this rank's part of the outputs begins, `whole` being where the whole
/// does; `spaceLoop` is the first of the loops over `numSpace` dimensions.
FirstOutputs firstOfPart(OpBuilder& builder, Location location,
                         const FirstOutputs& whole, size_t numSpace,
                         int64_t spaceLoop, Shard& shard);

/// The local form of `op`, whose loops over the outputs in space begin at
/// `spaceLoop`.
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
  auto result = llvm::cast<WindowOp>(cloneAtTypes(builder, op, local, results));
  if (part.dims.empty())
    result.removeFirstInAttr();
  else
    result.setFirstIn(part.dims);
  return result;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_WINDOWEDSPACE_H_
