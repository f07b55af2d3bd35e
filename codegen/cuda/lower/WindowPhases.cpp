#include "codegen/cuda/lower/WindowPhases.h"

#include <functional>
#include <numeric>

#include "codegen/cuda/Indices.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

int64_t productOf(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1},
                         std::multiplies<>());
}

/// The number by which `number`, prime to `modulus`, is 1.
int64_t inverse(int64_t number, int64_t modulus) {
  for (int64_t factor = 1; factor < modulus; ++factor)
    if (number * factor % modulus == 1) return factor;
  return 0;  // modulo 1
}

}  // namespace

WindowPhases::WindowPhases(const WindowedShape& shape) {
  for (auto [window, input] : llvm::zip_equal(shape.windows, shape.inputs)) {
    const int64_t common = std::gcd(window.stride, window.dilation);
    const int64_t step = window.stride / common;
    dims_.push_back({window, input, common, step,
                     inverse(window.dilation / common % step, step)});
  }
}

SmallVector<int64_t> WindowPhases::strides() const {
  return llvm::map_to_vector(
      dims_, [](const Dimension& dim) { return dim.window.stride; });
}

SmallVector<int64_t> WindowPhases::inputExtents() const {
  return llvm::map_to_vector(dims_, [](const Dimension& dim) -> int64_t {
    return llvm::divideCeil(dim.input, dim.window.stride);
  });
}

SmallVector<int64_t> WindowPhases::placeExtents() const {
  return llvm::map_to_vector(dims_, [](const Dimension& dim) -> int64_t {
    return llvm::divideCeil(dim.window.extent, dim.step);
  });
}

int64_t WindowPhases::count() const { return productOf(strides()); }
int64_t WindowPhases::inputs() const { return productOf(inputExtents()); }
int64_t WindowPhases::places() const { return productOf(placeExtents()); }

Point WindowPhases::inputOf(KernelBuilder& builder, Value phase,
                            Value index) const {
  SmallVector<Value> remainders = indicesOf(builder, phase, strides());
  SmallVector<Value> indices = indicesOf(builder, index, inputExtents());
  Point point(builder);
  for (auto [dim, remainder, i] : llvm::zip_equal(dims_, remainders, indices)) {
    const int64_t stride = dim.window.stride;
    // The first input is remainder - low, modulo the stride.
    Value first = builder.rem(
        builder.add(remainder, stride - dim.window.low % stride), stride);
    Value input = builder.add(first, builder.mul(i, stride));
    point.add(input, dim.input);
    if (dim.input % stride != 0) point.requireInside(input, dim.input);
  }
  return point;
}

Point WindowPhases::placeOf(KernelBuilder& builder, Value phase,
                            Value index) const {
  SmallVector<Value> remainders = indicesOf(builder, phase, strides());
  SmallVector<Value> indices = indicesOf(builder, index, placeExtents());
  Point point(builder);
  for (auto [dim, remainder, i] : llvm::zip_equal(dims_, remainders, indices)) {
    Value first = builder.rem(
        builder.mul(builder.div(remainder, dim.common), dim.factor), dim.step);
    Value place = builder.add(first, builder.mul(i, dim.step));
    point.add(place, dim.window.extent);
    if (dim.window.extent % dim.step != 0)
      point.requireInside(place, dim.window.extent);
  }
  return point;
}

}  // namespace sbp::cuda
