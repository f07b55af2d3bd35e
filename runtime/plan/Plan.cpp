#include "runtime/plan/Plan.h"

namespace sbp::plan {

int64_t byteWidth(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kI32:
      return 4;
    case ElementType::kI64:
      return 8;
    case ElementType::kI1:
      return 1;
  }
  return 0;
}

int64_t Plan::numRanks() const {
  int64_t count = 1;
  for (const Axis& axis : mesh) count *= axis.size;
  return count;
}

}  // namespace sbp::plan
