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
                             << numSpace << " spatial dimensions";
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
             << " in spatial dimension " << dim << "; it must be at least 1";
    int64_t fit = windows[dim].numOutputs(inputs[dim]);
    if (isPart ? outputs[dim] <= fit : outputs[dim] == fit) continue;
    return op->emitOpError()
           << "has " << outputs[dim] << " windows in spatial dimension " << dim
           << ", where " << fit << " fit, in " << input << " and " << output;
  }
  return success();
}

LogicalResult checkFirst(Operation* op, size_t numFirst,
                         ArrayRef<int64_t> firstIn, size_t numSpace) {
  if (firstIn.size() != numFirst)
    return op->emitOpError() << "has " << numFirst << " first outputs for "
                             << firstIn.size() << " spatial dimensions";
  int64_t previous = -1;
  for (int64_t dim : firstIn) {
    if (dim <= previous || dim >= static_cast<int64_t>(numSpace))
      return op->emitOpError()
             << "has first outputs in the spatial dimensions [" << firstIn
             << "], which must ascend and be below " << numSpace;
    previous = dim;
  }
  return success();
}

FirstOutputs firstOfPart(OpBuilder& builder, Location location,
                         const FirstOutputs& whole, size_t numSpace,
                         int64_t spaceLoop, Shard& shard) {
  FirstOutputs part;
  for (size_t dim = 0; dim < numSpace; ++dim) {
    const int64_t* found = llvm::find(whole.dims, static_cast<int64_t>(dim));
    Value start = found == whole.dims.end()
                      ? Value()
                      : whole.values[found - whole.dims.begin()];
    Value begin = firstIndex(builder, location, start, spaceLoop + dim, shard);
    if (!begin) continue;
    part.values.push_back(begin);
    part.dims.push_back(dim);
  }
  return part;
}

}  // namespace sbp::nn
