// A whole tensor in the memory of one process, as files hold it.

#ifndef RUNTIME_TENSOR_HOSTTENSOR_H_
#define RUNTIME_TENSOR_HOSTTENSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::tensor {

/// Dense and row-major.
struct HostTensor {
  plan::ElementType elementType = plan::ElementType::kF32;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;

  /// A tensor of zeros.
  static HostTensor zeros(plan::ElementType elementType,
                          std::vector<int64_t> shape);

  /// The elements, which must be of the C++ type that matches elementType.
  template <typename T>
  T* elements() {
    return reinterpret_cast<T*>(data.data());
  }
  template <typename T>
  const T* elements() const {
    return reinterpret_cast<const T*>(data.data());
  }

  /// Element `index`, as a number.
  double number(int64_t index) const;

  /// What files and functions take that know f32 alone: of bf16 the same
  /// numbers in f32, any other tensor as it is.
  HostTensor withoutBFloat16() const;
};

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_HOSTTENSOR_H_
