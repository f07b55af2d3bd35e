#include "codegen/kernels/WindowedShape.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp {

using namespace mlir;

namespace {

/// Returns the extents of a tensor [N, C, space...] in space.
ArrayRef<int64_t> spaceOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().drop_front(2);
}

}  // namespace

WindowedShape::WindowedShape(Value input, Value output, nn::Windows windows,
                             ArrayRef<int64_t> firstIn)
    : inputs(spaceOf(input)),
      outputs(spaceOf(output)),
      windows(std::move(windows)),
      firstIn(firstIn) {
  auto type = cast<RankedTensorType>(input.getType());
  samples = type.getDimSize(0);
  channels = type.getDimSize(1);
}

int64_t WindowedShape::inputPoints() const { return llvm::product_of(inputs); }

int64_t WindowedShape::outputPoints() const {
  return llvm::product_of(outputs);
}

int64_t WindowedShape::windowPoints() const {
  return llvm::product_of(windowExtents());
}

SmallVector<int64_t> WindowedShape::windowExtents() const {
  SmallVector<int64_t> extents;
  for (const nn::Window& window : windows) extents.push_back(window.extent);
  return extents;
}

int64_t WindowedShape::linesPerSample() const {
  return llvm::product_of(ArrayRef(outputs).drop_back());
}

bool WindowedShape::mayCoverPadding(size_t dim) const {
  const nn::Window& window = windows[dim];
  int64_t lastWindow = window.numOutputs(inputs[dim]) - 1;
  return window.low > 0 ||
         lastWindow * window.stride + window.span() > inputs[dim];
}

}  // namespace sbp
