// A switch that carries frames between the ports of hosts, with the delays of
// their links.
//
// Frames are read as soon as a host sends them, are kept until they would have
// arrived (Wires.h), and are then written to their destination. The kernel's
// own emulation of delays, netem, is often not available.

#ifndef TOOLS_EMULATION_SWITCH_H_
#define TOOLS_EMULATION_SWITCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "tools/emulation/Wires.h"

namespace sbp::emulation {

/// A switch between hosts; see above.
class Switch {
 public:
  /// `ports[i]` is the port of host i (Host.h). The ports must outlive the
  /// switch.
  Switch(std::vector<int> ports, const Link& link);

  /// Carries frames until `isOver` returns true. `isOver` is called whenever
  /// the file descriptor `wakeUp` can be read. Fails if a port breaks.
  absl::Status run(int wakeUp, const std::function<bool()>& isOver);

 private:
  /// A frame on its way through the switch.
  struct Frame {
    double time = 0;      // time of its next event, in seconds
    uint64_t number = 0;  // orders frames with the same time
    int64_t to = 0;       // host
    bool isOnLastWire = false;
    std::vector<char> bytes;
  };
  /// The order of the heap of frames.
  struct IsLater {
    bool operator()(const Frame& a, const Frame& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  /// Reads all frames that host `from` has sent, and puts each on its way to
  /// its destination, or to all other hosts.
  absl::Status takeFrames(int64_t from);
  /// Puts a copy of a frame, its header included, on the wire of host `from`.
  void send(int64_t from, int64_t to, const char* bytes, int64_t size,
            double now);
  void add(Frame frame);
  Frame takeEarliest();
  /// Moves the frames whose time has come: each to its last wire or, if it is
  /// on that already, to its host. A frame that a host's interface does not
  /// take is lost.
  void moveFrames();
  /// Blocks until a frame's time has come, a host sends, or `wakeUp` can be
  /// read; sets `isAwoken` to whether it can be read.
  absl::Status sleep(int wakeUp, bool& isAwoken) const;

  std::vector<int> ports_;
  Wires wires_;
  uint64_t numFrames_ = 0;
  std::vector<Frame> frames_;  // a heap: the earliest frame is first
};

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_SWITCH_H_
