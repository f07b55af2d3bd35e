#include "codegen/cuda/lower/WindowPoints.h"

#include "codegen/cuda/Indices.h"

namespace sbp::cuda {

using namespace mlir;

WindowPoints::Point WindowPoints::inputOf(Value output, Value place) {
  SmallVector<Value> outputs = indicesOf(builder_, output, shape().outputs);
  SmallVector<Value> places =
      indicesOf(builder_, place, shape().windowExtents());
  Point point = {builder_.index(0),
                 arith::ConstantIntOp::create(builder_, 1, 1)};
  for (auto [dim, extent] : llvm::enumerate(shape().inputs)) {
    Value input = code_.inputOf(dim, outputs[dim], places[dim]);
    point.isThere = builder_.createOrFold<arith::AndIOp>(
        code_.isInside(dim, input), point.isThere);
    point.number = builder_.add(builder_.mul(point.number, extent), input);
  }
  return point;
}

WindowPoints::Point WindowPoints::outputOf(Value input, Value place) {
  SmallVector<Value> inputs = indicesOf(builder_, input, shape().inputs);
  SmallVector<Value> places =
      indicesOf(builder_, place, shape().windowExtents());
  Point point = {builder_.index(0),
                 arith::ConstantIntOp::create(builder_, 1, 1)};
  const auto require = [&](Value condition) {
    point.isThere =
        builder_.createOrFold<arith::AndIOp>(condition, point.isThere);
  };
  for (auto [dim, extent] : llvm::enumerate(shape().outputs)) {
    const nn::Window& window = shape().windows[dim];
    // How far the window's first input is from that of window 0.
    Value distance = builder_.sub(builder_.add(inputs[dim], window.low),
                                  builder_.mul(places[dim], window.dilation));
    if (window.stride != 1)
      require(builder_.isEqual(builder_.rem(distance, window.stride),
                               builder_.index(0)));
    Value output = builder_.sub(builder_.div(distance, window.stride),
                                code_.firstOutput(dim));
    // As unsigned numbers, negative ones are large, also when divided.
    require(builder_.createOrFold<arith::CmpIOp>(
        arith::CmpIPredicate::ult, output, builder_.index(extent)));
    point.number = builder_.add(builder_.mul(point.number, extent), output);
  }
  return point;
}

}  // namespace sbp::cuda
