// NaN and infinities in tensors: whether there are any, and where.

#ifndef RUNTIME_TENSOR_NOTFINITE_H_
#define RUNTIME_TENSOR_NOTFINITE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::tensor {

/// A number that is not finite, and which element of a tensor it is.
struct NotFinite {
  int64_t element = 0;
  float value = 0;  // NaN without its sign
};

/// The first of the `count` elements of `type` at `elements`, which need not be
/// aligned, that is not finite; of integers none.
std::optional<NotFinite> findNotFinite(plan::ElementType type,
                                       const std::byte* elements,
                                       int64_t count);

/// The same of the first NaN.
std::optional<NotFinite> findNan(plan::ElementType type,
                                 const std::byte* elements, int64_t count);

/// "nan at [0, 3]", where the tensor has `shape`; "nan" in a scalar.
std::string toString(const NotFinite& found, const std::vector<int64_t>& shape);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_NOTFINITE_H_
