#include "runtime/plan/Tensor.h"

#include <algorithm>

namespace sbp::plan {

int64_t byteWidth(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kI32:
      return 4;
    case ElementType::kBF16:
      return 2;
    case ElementType::kI64:
      return 8;
    case ElementType::kI1:
      return 1;
  }
  return 0;
}

bool isFloat(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kBF16;
}

int64_t Group::size() const {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.size;
  return count;
}

int64_t Group::positionOf(int64_t rank) const {
  if (ranks.empty()) return rank < size() ? rank : -1;
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : found - ranks.begin();
}

}  // namespace sbp::plan
