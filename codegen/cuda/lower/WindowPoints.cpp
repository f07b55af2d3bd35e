#include "codegen/cuda/lower/WindowPoints.h"

#include "codegen/cuda/Indices.h"

namespace sbp::cuda {

using namespace mlir;

Point WindowPoints::inputOf(Value output, Value position) {
  SmallVector<Value> outputs = indicesOf(builder_, output, shape().outputs);
  SmallVector<Value> positions =
      indicesOf(builder_, position, shape().windowExtents());
  Point point(builder_);
  for (auto [dim, extent] : llvm::enumerate(shape().inputs)) {
    Value input = code_.inputOf(dim, outputs[dim], positions[dim]);
    point.require(code_.isInside(dim, input));
    point.add(input, extent);
  }
  return point;
}

Point WindowPoints::outputOf(Value input, Value position) {
  SmallVector<Value> inputs = indicesOf(builder_, input, shape().inputs);
  SmallVector<Value> positions =
      indicesOf(builder_, position, shape().windowExtents());
  Point point(builder_);
  for (auto [dim, extent] : llvm::enumerate(shape().outputs)) {
    const nn::Window& window = shape().windows[dim];
    // Distance of the window's first input from that of window 0.
    Value distance =
        builder_.sub(builder_.add(inputs[dim], window.low),
                     builder_.mul(positions[dim], window.dilation));
    if (window.stride != 1)
      point.require(builder_.isEqual(builder_.rem(distance, window.stride),
                                     builder_.index(0)));
    Value output = builder_.sub(builder_.div(distance, window.stride),
                                code_.firstOutput(dim));
    // A negative distance has become large in the unsigned division, or is
    // still negative; both are outside.
    point.requireInside(output, extent);
    point.add(output, extent);
  }
  return point;
}

}  // namespace sbp::cuda
