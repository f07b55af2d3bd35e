#include "runtime/tensor/HostTensor.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/Box.h"
#include "runtime/plan/NativeTypes.h"

namespace sbp::tensor {

HostTensor HostTensor::zeros(plan::ElementType elementType,
                             std::vector<int64_t> shape) {
  const int64_t bytes = plan::numElements(shape) * plan::byteWidth(elementType);
  return {elementType, std::move(shape), std::vector<std::byte>(bytes)};
}

double HostTensor::number(int64_t index) const {
  return plan::withNativeType(elementType, [&](auto element) {
    return static_cast<double>(elements<decltype(element)>()[index]);
  });
}

HostTensor HostTensor::withoutBFloat16() const {
  if (elementType != plan::ElementType::kBF16) return *this;
  HostTensor result = zeros(plan::ElementType::kF32, shape);
  const auto* numbers = elements<math::BFloat16>();
  std::copy_n(numbers, plan::numElements(shape), result.elements<float>());
  return result;
}

}  // namespace sbp::tensor
