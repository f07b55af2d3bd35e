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

/// Fails at an op with wrong strides, paddings or dilations, or with a `first`
/// output for some of its dimensions of space only.
template <typename WindowOp>
LogicalResult checkWindowLists(WindowOp op, size_t numSpace) {
  if (failed(checkWindowList(op, "strides", op.getStrides(), numSpace, 1)) ||
      failed(checkWindowList(op, "low pads", op.getLow(), numSpace, 0)) ||
      failed(checkWindowList(op, "high pads", op.getHigh(), numSpace, 0)) ||
      failed(checkWindowList(op, "dilations", op.getDilations(), numSpace, 1)))
    return failure();
  size_t numFirst = op.getFirst().size();
  if (numFirst == 0 || numFirst == numSpace) return success();
  return op.emitOpError() << "begins at " << numFirst << " outputs in "
                          << numSpace << " dimensions of space";
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

/// The operands `first` of the local form of an op with `first` before, whose
/// loops over the outputs in space begin at `firstLoop`: the beginnings of this
/// rank's part; none where that is the beginning of the whole.
SmallVector<Value> firstOutputs(OpBuilder& builder, Operation* op,
                                ValueRange first, size_t numSpace,
                                int64_t firstLoop, Shard& shard);

}  // namespace sbp::nn

#endif  // DIALECTS_NN_WINDOWEDSPACE_H_
