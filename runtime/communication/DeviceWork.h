// What the device of a rank does while the host waits for it.

#ifndef RUNTIME_COMMUNICATION_DEVICEWORK_H_
#define RUNTIME_COMMUNICATION_DEVICEWORK_H_

#include <cstdint>
#include <string>

namespace sbp::communication {

/// The work of a device at one moment.
struct DeviceWork {
  uint64_t progress = 0;  // changes when the device makes progress
  /// If the device waits for other ranks, the name of this wait; null
  /// otherwise.
  const std::string* waitsIn = nullptr;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_DEVICEWORK_H_
