// An access to memory by one run of a task.

#ifndef RUNTIME_DEVICE_ACCESS_H_
#define RUNTIME_DEVICE_ACCESS_H_

#include <cstdint>

namespace sbp::device {

/// A range of bytes that a run reads (isWrite false), or writes and perhaps
/// also reads (isWrite true).
struct Access {
  int64_t begin = 0;  // offset in the arena
  int64_t bytes = 0;
  bool isWrite = false;

  /// Whether the order of the two accesses matters: they have bytes in common,
  /// and at least one of them writes.
  bool conflictsWith(const Access& other) const {
    return (isWrite || other.isWrite) && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_ACCESS_H_
