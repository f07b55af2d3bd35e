// Parts of tensors that lie in the memory of the test's process.

#ifndef RUNTIME_DEVICE_TESTING_ONHOST_H_
#define RUNTIME_DEVICE_TESTING_ONHOST_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "runtime/device/LocalTensor.h"
#include "runtime/device/Memory.h"

namespace sbp::device {

/// Returns the part of a tensor whose elements are those of `elements`, an
/// array or a vector.
template <typename Elements>
LocalTensor onHost(Elements& elements) {
  // The memory of this process: an offset is an address.
  class Addresses : public Memory {
   public:
    absl::Status read(int64_t address, int64_t, ReadBytes use) override {
      return use(reinterpret_cast<const std::byte*>(address));
    }
    absl::Status write(int64_t address, int64_t, WriteBytes fill) override {
      return fill(reinterpret_cast<std::byte*>(address));
    }
  };
  static Addresses addresses;
  return {
      addresses, reinterpret_cast<int64_t>(std::data(elements)),
      static_cast<int64_t>(std::size(elements) * sizeof *std::data(elements))};
}

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_TESTING_ONHOST_H_
