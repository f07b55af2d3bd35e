#include "codegen/cuda/lower/WindowPhases.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codegen/cuda/Indices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Returns the multiplicative inverse of `number` modulo `modulus`, by the
/// extended Euclidean algorithm. The two must have no common divisor.
int64_t inverse(int64_t number, int64_t modulus) {
  // Invariant: each remainder is number * factor modulo `modulus`.
  int64_t remainder = modulus, next = number % modulus;
  int64_t factor = 0, nextFactor = 1;
  while (next > 1) {
    const int64_t quotient = remainder / next;
    remainder = std::exchange(next, remainder - quotient * next);
    factor = std::exchange(nextFactor, factor - quotient * nextFactor);
  }
  return (nextFactor + modulus) % modulus;
}

}  // namespace

WindowPhases::WindowPhases(const WindowedShape& shape) {
  for (auto [window, input] : llvm::zip_equal(shape.windows, shape.inputs)) {
    const int64_t common = std::gcd(window.stride, window.dilation);
    const int64_t step = window.stride / common;
    dims_.push_back(
        {window, input, common, step, inverse(window.dilation / common, step)});
  }
}

SmallVector<int64_t> WindowPhases::phaseExtents() const {
  return llvm::map_to_vector(dims_, [](const Dimension& dim) {
    return std::min(dim.window.stride, dim.input);
  });
}

SmallVector<int64_t> WindowPhases::inputExtents() const {
  return llvm::map_to_vector(dims_, [](const Dimension& dim) -> int64_t {
    return llvm::divideCeil(dim.input, dim.window.stride);
  });
}

SmallVector<int64_t> WindowPhases::positionExtents() const {
  return llvm::map_to_vector(dims_, [](const Dimension& dim) -> int64_t {
    return llvm::divideCeil(dim.window.extent, dim.step);
  });
}

int64_t WindowPhases::numPhases() const {
  return llvm::product_of(phaseExtents());
}
int64_t WindowPhases::maxInputs() const {
  return llvm::product_of(inputExtents());
}
int64_t WindowPhases::maxPositions() const {
  return llvm::product_of(positionExtents());
}

Point WindowPhases::inputOf(KernelBuilder& builder, Value phase,
                            Value index) const {
  SmallVector<Value> first = indicesOf(builder, phase, phaseExtents());
  SmallVector<Value> indices = indicesOf(builder, index, inputExtents());
  Point point(builder);
  for (auto [i, dim] : llvm::enumerate(dims_)) {
    Value input =
        builder.add(first[i], builder.mul(indices[i], dim.window.stride));
    point.add(input, dim.input);
    if (dim.input % dim.window.stride != 0)
      point.requireInside(input, dim.input);
  }
  return point;
}

Point WindowPhases::positionOf(KernelBuilder& builder, Value phase,
                               Value index) const {
  SmallVector<Value> first = indicesOf(builder, phase, phaseExtents());
  SmallVector<Value> indices = indicesOf(builder, index, positionExtents());
  Point point(builder);
  for (auto [i, dim] : llvm::enumerate(dims_)) {
    Value remainder =
        builder.rem(builder.add(first[i], dim.window.low), dim.window.stride);
    Value firstPosition = builder.rem(
        builder.mul(builder.div(remainder, dim.common), dim.factor), dim.step);
    Value position =
        builder.add(firstPosition, builder.mul(indices[i], dim.step));
    point.add(position, dim.window.extent);
    if (dim.window.extent % dim.step != 0)
      point.requireInside(position, dim.window.extent);
  }
  return point;
}

}  // namespace sbp::cuda
