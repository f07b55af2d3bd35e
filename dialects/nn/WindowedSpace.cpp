#include "dialects/nn/WindowedSpace.h"

namespace sbp::nn {

Windows windowsOf(ArrayRef<int64_t> extents,
                  std::optional<ArrayRef<int64_t>> strides,
                  std::optional<ArrayRef<int64_t>> low,
                  std::optional<ArrayRef<int64_t>> high,
                  std::optional<ArrayRef<int64_t>> dilations) {
  Windows windows;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Window& window = windows.emplace_back();
    window.extent = extent;
    if (strides) window.stride = (*strides)[dim];
    if (low) window.low = (*low)[dim];
    if (high) window.high = (*high)[dim];
    if (dilations) window.dilation = (*dilations)[dim];
  }
  return windows;
}

LogicalResult checkWindowList(Operation* op, StringRef what,
                              std::optional<ArrayRef<int64_t>> list,
                              size_t numSpace, int64_t least) {
  if (!list) return success();
  if (list->size() != numSpace)
    return op->emitOpError() << "has " << list->size() << " " << what << " for "
                             << numSpace << " dimensions of space";
  for (int64_t number : *list)
    if (number < least)
      return op->emitOpError() << "has " << number << " among its " << what
                               << ", which are at least " << least;
  return success();
}

LogicalResult checkOutputs(Operation* op, const Windows& windows, Type input,
                           Type output, bool isPart) {
  ArrayRef<int64_t> inputs = shapeOf(input).drop_front(2);
  ArrayRef<int64_t> outputs = shapeOf(output).drop_front(2);
  for (size_t dim = 0; dim < windows.size(); ++dim) {
    if (windows[dim].extent < 1)
      return op->emitOpError()
             << "has windows of extent " << windows[dim].extent
             << " in dimension " << dim << " of space";
    int64_t fit = windows[dim].numOutputs(inputs[dim]);
    if (isPart ? outputs[dim] <= fit : outputs[dim] == fit) continue;
    return op->emitOpError()
           << "has " << outputs[dim] << " windows in dimension " << dim
           << " of space, where " << fit << " fit, in " << input << " and "
           << output;
  }
  return success();
}

SmallVector<Value> firstOutputs(OpBuilder& builder, Operation* op,
                                ValueRange first, size_t numSpace,
                                int64_t firstLoop, Shard& shard) {
  SmallVector<Value> begins;
  bool beginsElsewhere = false;
  for (size_t dim = 0; dim < numSpace; ++dim) {
    Value start = first.empty() ? Value() : first[dim];
    begins.push_back(
        firstIndex(builder, op->getLoc(), start, firstLoop + dim, shard));
    beginsElsewhere |= begins.back() != nullptr;
  }
  if (!beginsElsewhere) return {};
  auto type = plainTensor({}, builder.getI64Type());
  for (Value& begin : begins)
    if (!begin)
      begin =
          ConstantOp::create(builder, op->getLoc(), type,
                             mlir::DenseElementsAttr::get(type, int64_t{0}));
  return begins;
}

}  // namespace sbp::nn
