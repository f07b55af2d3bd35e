// Whole tensors in the memory of one process, in the layout that they have in
// files.

#ifndef RUNTIME_TENSOR_HOSTTENSOR_H_
#define RUNTIME_TENSOR_HOSTTENSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::tensor {

/// A dense, row-major tensor.
struct HostTensor {
  plan::ElementType elementType = plan::ElementType::kF32;
  std::vector<int64_t> shape;   // empty: a scalar
  std::vector<std::byte> data;  // the elements

  /// Returns a tensor of zeros.
  static HostTensor zeros(plan::ElementType elementType,
                          std::vector<int64_t> shape);

  /// Return the elements. T must be the C++ type of elementType
  /// (plan/NativeTypes.h).
  template <typename T>
  T* elements() {
    return reinterpret_cast<T*>(data.data());
  }
  template <typename T>
  const T* elements() const {
    return reinterpret_cast<const T*>(data.data());
  }

  /// Returns element `index`, in row-major order, as a double.
  double number(int64_t index) const;

  /// Returns a tensor of bf16 converted to f32, for file formats and functions
  /// without bf16. Returns a tensor of any other type unchanged.
  HostTensor withoutBFloat16() const;
};

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_HOSTTENSOR_H_
