#include "codegen/check/Difference.h"

#include <algorithm>
#include <cmath>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp::check {
namespace {

using interpreter::Tensor;

/// Returns the index in each dimension of element `element` of a tensor.
SmallVector<int64_t> indexOf(int64_t element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = element % shape[dim];
    element /= shape[dim];
  }
  return index;
}

bool isClose(double actual, double expected, double allowed) {
  if (std::isnan(actual) || std::isnan(expected))
    return std::isnan(actual) && std::isnan(expected);
  return actual == expected || std::abs(actual - expected) <= allowed;
}

}  // namespace

std::string Difference::element(StringRef what) const {
  return fmt::format("element [{}] of {} {}", fmt::join(index, ", "),
                     what.str(), tensor);
}

double largestMagnitude(ArrayRef<Tensor> tensors) {
  double largest = 0;
  for (const Tensor& tensor : tensors)
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      if (const double magnitude = std::abs(tensor.asDouble(i));
          std::isfinite(magnitude))
        largest = std::max(largest, magnitude);
  return largest;
}

std::optional<Difference> firstDifference(ArrayRef<Tensor> actual,
                                          ArrayRef<Tensor> expected,
                                          double tolerance, double absolute) {
  for (auto [number, tensor] : llvm::enumerate(expected)) {
    double allowed = 0;
    if (tensor.isFloat())
      allowed = tolerance * largestMagnitude(tensor) + absolute;
    for (int64_t i = 0; i < tensor.numElements(); ++i) {
      const double mine = actual[number].asDouble(i);
      const double whole = tensor.asDouble(i);
      if (isClose(mine, whole, allowed)) continue;
      return Difference{number, indexOf(i, tensor.shape()), mine, whole};
    }
  }
  return std::nullopt;
}

}  // namespace sbp::check
