// A rank's part of a tensor, in the memory of the rank's device.

#ifndef RUNTIME_DEVICE_LOCALTENSOR_H_
#define RUNTIME_DEVICE_LOCALTENSOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/device/Memory.h"

namespace sbp::device {

/// A rank's box of a tensor (plan/Box.h), dense and row-major. An object only
/// refers to the memory, which must outlive it.
class LocalTensor {
 public:
  /// Constructs an empty part, for a tensor that does not lie on this rank.
  LocalTensor() = default;

  /// Constructs a part of `bytes` bytes at `offset` in `memory`.
  LocalTensor(Memory& memory, int64_t offset, int64_t bytes)
      : memory_(&memory), offset_(offset), bytes_(bytes) {}

  /// Whether the tensor lies on this rank. If not, the other functions must not
  /// be called.
  bool isHere() const { return memory_ != nullptr; }

  int64_t bytes() const { return bytes_; }

  /// Read and write the elements, as the functions of Memory do.
  absl::Status read(ReadBytes use) const {
    return memory_->read(offset_, bytes_, use);
  }
  absl::Status write(WriteBytes fill) const {
    return memory_->write(offset_, bytes_, fill);
  }

  /// Returns the first element, of type `T`.
  template <typename T>
  absl::StatusOr<T> get() const {
    T value = T();
    absl::Status status =
        memory_->read(offset_, sizeof value, [&](const std::byte* element) {
          std::memcpy(&value, element, sizeof value);
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
    return value;
  }

  /// Writes the only element, of type `T`.
  template <typename T>
  absl::Status set(T value) const {
    return write([&](std::byte* element) {
      std::memcpy(element, &value, sizeof value);
      return absl::OkStatus();
    });
  }

 private:
  Memory* memory_ = nullptr;
  int64_t offset_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_LOCALTENSOR_H_
