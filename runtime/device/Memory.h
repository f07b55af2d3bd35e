// Memory that holds a rank's tensors, as the host sees it.
//
// Where the host can address it, as on a CPU, the host works on it in place.
// Otherwise a copy in host memory stands in for it: read() copies before, and
// write() after the host has worked on it.

#ifndef RUNTIME_DEVICE_MEMORY_H_
#define RUNTIME_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace sbp::device {

/// A function that reads bytes in host memory.
using ReadBytes = absl::FunctionRef<absl::Status(const std::byte*)>;

/// A function that writes bytes in host memory: all that it is given.
using WriteBytes = absl::FunctionRef<absl::Status(std::byte*)>;

/// Memory that may lie on another device than the host.
class Memory {
 public:
  virtual ~Memory() = default;

  /// Calls `use` with the `bytes` bytes at `offset`, after all work that was
  /// started before has ended. The bytes exist until `use` returns. Fails with
  /// the error of `use` or of the device.
  virtual absl::Status read(int64_t offset, int64_t bytes, ReadBytes use) = 0;

  /// Calls `fill` with `bytes` bytes of host memory, and makes them the bytes
  /// at `offset`, for all work that is started later. They exist until `fill`
  /// returns. Fails with the error of `fill` or of the device; the bytes at
  /// `offset` are then undefined. `fill` may call read().
  virtual absl::Status write(int64_t offset, int64_t bytes,
                             WriteBytes fill) = 0;
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_MEMORY_H_
