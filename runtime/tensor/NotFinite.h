// Search for NaN and infinities in tensors.

#ifndef RUNTIME_TENSOR_NOTFINITE_H_
#define RUNTIME_TENSOR_NOTFINITE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::tensor {

/// A number that is not finite, and where it is.
struct NotFinite {
  int64_t element = 0;  // index of the number in the row-major tensor
  float value = 0;      // a NaN has no sign
};

/// Returns the first of the `count` elements at `elements` that is not finite;
/// nullopt if all are finite or `type` is an integer type. The elements need
/// not be aligned.
std::optional<NotFinite> findNotFinite(plan::ElementType type,
                                       const std::byte* elements,
                                       int64_t count);

/// Returns the first NaN among the `count` elements at `elements`; nullopt if
/// there is none or `type` is an integer type. The elements need not be
/// aligned.
std::optional<NotFinite> findNan(plan::ElementType type,
                                 const std::byte* elements, int64_t count);

/// Returns the value and its index in a tensor of `shape` as text, "nan at [0,
/// 3]"; for a scalar, only the value.
std::string toString(const NotFinite& found, const std::vector<int64_t>& shape);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_NOTFINITE_H_
