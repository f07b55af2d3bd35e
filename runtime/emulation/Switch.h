// Carries frames between the ports of hosts, at the pace of their links.
//
// Frames are read as soon as a host sends them, wait here until they would have
// arrived (Wires.h), and are written to whom they are for. The kernel's own
// means of that kind are not everywhere: netem, which delays, is often missing.

#ifndef RUNTIME_EMULATION_SWITCH_H_
#define RUNTIME_EMULATION_SWITCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "runtime/emulation/Wires.h"

namespace sbp::emulation {

class Switch {
 public:
  /// `ports[i]` is that of host i (Host.h); they must outlive the switch.
  Switch(std::vector<int> ports, const Link& link);

  /// Carries frames until `isOver`, which is asked whenever `wakeUp`, a file
  /// descriptor, can be read, returns true. Fails if a port breaks.
  absl::Status run(int wakeUp, const std::function<bool()>& isOver);

 private:
  struct Frame {
    double time = 0;      // when something happens to it next
    uint64_t number = 0;  // of two at a time the earlier goes first
    int64_t to = 0;
    bool isOnLastWire = false;
    std::vector<char> bytes;
  };
  struct IsLater {
    bool operator()(const Frame& a, const Frame& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  absl::Status takeFrames(int64_t from);
  void send(int64_t from, int64_t to, const char* bytes, int64_t size,
            double now);
  void add(Frame frame);
  Frame takeEarliest();
  void moveFrames();
  absl::Status sleep(int wakeUp, bool& isAwoken) const;

  std::vector<int> ports;
  Wires wires;
  uint64_t numFrames = 0;
  std::vector<Frame> frames;  // a heap: the earliest is the first
};

}  // namespace sbp::emulation

#endif  // RUNTIME_EMULATION_SWITCH_H_
