// Reductions on single elements: the combination of two elements, and the
// neutral element. `Element` is double or int64_t, as in Tensor.h.

#ifndef CODEGEN_INTERPRETER_MONOID_H_
#define CODEGEN_INTERPRETER_MONOID_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "dialects/sbp/Algebra.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::interpreter {

/// Returns the reduction of `a` and `b`. Integer sums wrap around at 64 bits.
/// If one of the two is NaN, the result is NaN.
template <typename Element>
Element combine(Reduction reduction, Element a, Element b) {
  if constexpr (std::is_floating_point_v<Element>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  }
  if (reduction == Reduction::Max) return a > b ? a : b;
  if (reduction == Reduction::Min) return a < b ? a : b;
  if constexpr (std::is_floating_point_v<Element>)
    return a + b;
  else
    return static_cast<Element>(static_cast<uint64_t>(a) +
                                static_cast<uint64_t>(b));
}

/// Returns the element e with combine(e, x) = x for every x of type
/// `elementType`: 0 for a sum; for a maximum or minimum an infinity, or an end
/// of the range of the integer type.
template <typename Element>
Element neutralElement(Reduction reduction, mlir::Type elementType) {
  if (reduction == Reduction::Sum) return 0;
  bool isMax = reduction == Reduction::Max;
  if constexpr (std::is_floating_point_v<Element>) {
    double infinity = std::numeric_limits<double>::infinity();
    return isMax ? -infinity : infinity;
  } else {
    unsigned width = elementType.getIntOrFloatBitWidth();
    if (width == 1) return isMax ? 0 : 1;
    int64_t lowest = std::numeric_limits<int64_t>::min() >> (64 - width);
    return isMax ? lowest : ~lowest;
  }
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_MONOID_H_
