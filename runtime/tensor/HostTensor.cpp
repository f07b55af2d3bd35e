#include "runtime/tensor/HostTensor.h"

#include <utility>

#include "runtime/plan/Box.h"

namespace sbp::tensor {

HostTensor HostTensor::zeros(plan::ElementType elementType,
                             std::vector<int64_t> shape) {
  const int64_t bytes = plan::numElements(shape) * plan::byteWidth(elementType);
  return {elementType, std::move(shape), std::vector<std::byte>(bytes)};
}

}  // namespace sbp::tensor
