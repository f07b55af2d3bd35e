// The C++ types that the elements of a tensor have in memory.

#ifndef RUNTIME_PLAN_NATIVETYPES_H_
#define RUNTIME_PLAN_NATIVETYPES_H_

#include <cstdint>

#include "runtime/math/BFloat16.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Calls `visitor` with a value of the C++ type that elements of `type` have in
/// memory, and returns the visitor's result. Only the type of the value
/// matters.
template <typename Visitor>
auto withNativeType(ElementType type, const Visitor& visitor) {
  switch (type) {
    case ElementType::kF32:
      return visitor(float());
    case ElementType::kBF16:
      return visitor(math::BFloat16());
    case ElementType::kI32:
      return visitor(int32_t());
    case ElementType::kI64:
      return visitor(int64_t());
    case ElementType::kI1:
      break;
  }
  return visitor(bool());
}

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_NATIVETYPES_H_
