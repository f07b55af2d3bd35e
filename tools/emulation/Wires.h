// The arrival times of frames in a network with one switch.
//
// Every host has a wire to the switch and a wire back. A wire transmits one
// frame after the other, in size / bandwidth seconds each. The latency is added
// between the sender's wire and the receiver's:
//
//   host 0 ──wire──▶ ┌────────┐ ──wire──▶ host 0
//   host 1 ──wire──▶ │ switch │ ──wire──▶ host 1
//                    └────────┘
//   sent        leave()    +latency     deliver()
//
// The switch forwards a frame while it is still arriving, so a frame that meets
// no other frame takes latency + size / bandwidth. Frames of two hosts to a
// third host share its wire, in the order in which they reach it. These wires
// lose no frame.
//
// Times are in seconds of any clock; the functions only compute, and never
// wait.

#ifndef TOOLS_EMULATION_WIRES_H_
#define TOOLS_EMULATION_WIRES_H_

#include <cstdint>
#include <vector>

namespace sbp::emulation {

/// A host's link, the same in both directions.
struct Link {
  double bytesPerSecond = 0;  // 0: unlimited
  double latencySeconds = 0;  // from host to host
};

/// The wires of all hosts, and the times at which each of them is free.
class Wires {
 public:
  Wires(int64_t numHosts, const Link& link)
      : link_(link), outgoing_(numHosts, 0), incoming_(numHosts, 0) {}

  /// Sends a frame of `bytes` bytes from host `from` at time `now`. Returns the
  /// time at which its last byte reaches the wire of the receiver. Must be
  /// called in the order of `now`.
  double leave(int64_t from, int64_t bytes, double now);

  /// Delivers a frame to host `to`; `arrival` is the time that leave()
  /// returned. Returns the time at which the whole frame has arrived. Must be
  /// called in the order of `arrival`.
  double deliver(int64_t to, int64_t bytes, double arrival);

 private:
  double secondsOf(int64_t bytes) const;

  Link link_;
  /// Times at which the wires are free again, by host.
  std::vector<double> outgoing_;
  std::vector<double> incoming_;
};

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_WIRES_H_
