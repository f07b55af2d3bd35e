// An access to memory by a run of a task.

#ifndef RUNTIME_DEVICE_ACCESS_H_
#define RUNTIME_DEVICE_ACCESS_H_

#include <cstdint>

namespace sbp::device {

/// Bytes that a run reads, or writes (and perhaps reads).
struct Access {
  int64_t begin = 0;  // offset
  int64_t bytes = 0;
  bool isWrite = false;

  /// Whether the two accesses may not change places: they have bytes in common,
  /// and one of them writes.
  bool conflictsWith(const Access& other) const {
    return (isWrite || other.isWrite) && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_ACCESS_H_
