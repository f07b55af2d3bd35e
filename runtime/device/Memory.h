// Memory that holds a rank's tensors, as the host sees it.
//
// If the host can address the memory, as on a CPU, the host works in place.
// Otherwise the host works on a copy in host memory: read() copies the bytes
// before the host reads them, and write() after the host has written them.

#ifndef RUNTIME_DEVICE_MEMORY_H_
#define RUNTIME_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace sbp::device {

/// A function that reads bytes in host memory.
using ReadBytes = absl::FunctionRef<absl::Status(const std::byte*)>;

/// A function that writes bytes in host memory. It must write all bytes that
/// write() passes to it.
using WriteBytes = absl::FunctionRef<absl::Status(std::byte*)>;

/// Memory of the host or of another device.
class Memory {
 public:
  virtual ~Memory() = default;

  /// Waits until all work that was started before has ended, then calls `use`
  /// with the `bytes` bytes at `offset`. The bytes exist until `use` returns.
  /// Fails with the error of `use` or of the device.
  virtual absl::Status read(int64_t offset, int64_t bytes, ReadBytes use) = 0;

  /// Calls `fill` with `bytes` bytes of host memory. What `fill` has written
  /// there becomes the `bytes` bytes at `offset`, for all work that is started
  /// later. The host memory exists until `fill` returns. Fails with the error
  /// of `fill` or of the device; the bytes at `offset` are then undefined.
  /// `fill` may call read().
  virtual absl::Status write(int64_t offset, int64_t bytes,
                             WriteBytes fill) = 0;
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_MEMORY_H_
