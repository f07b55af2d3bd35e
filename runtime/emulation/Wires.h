// When a frame that is sent now arrives, on a network of one switch.
//
// Every host has a wire to the switch and one back. A wire takes one frame
// after the other, size / bandwidth seconds each; in between lies the latency:
//
//   host 0 ──wire──▶ ┌────────┐ ──wire──▶ host 0
//   host 1 ──wire──▶ │ switch │ ──wire──▶ host 1
//                    └────────┘
//   sent        leave()    +latency     deliver()
//
// The switch passes a frame on while it still comes in, so a frame that meets
// nobody takes latency + size / bandwidth. Frames of two hosts to a third share
// its wire in the order in which they reach it. Nothing is ever lost.
//
// Times are seconds of any clock; nothing here waits for them.

#ifndef RUNTIME_EMULATION_WIRES_H_
#define RUNTIME_EMULATION_WIRES_H_

#include <cstdint>
#include <vector>

namespace sbp::emulation {

/// A host's link, the same in both directions.
struct Link {
  double bytesPerSecond = 0;  // 0: without bound
  double latencySeconds = 0;  // from host to host
};

class Wires {
 public:
  Wires(int64_t numHosts, const Link& link)
      : link(link), outgoing(numHosts, 0), incoming(numHosts, 0) {}

  /// When the last byte of a frame of `bytes` that host `from` sends at `now`
  /// has come to the wire of its receiver. To be called in the order of `now`.
  double leave(int64_t from, int64_t bytes, double now);

  /// When it has come to host `to`, if it came to its wire at `arrival`. To be
  /// called in the order of `arrival`.
  double deliver(int64_t to, int64_t bytes, double arrival);

 private:
  double secondsOf(int64_t bytes) const;

  Link link;
  std::vector<double> outgoing;  // by host: when its wire is free again
  std::vector<double> incoming;
};

}  // namespace sbp::emulation

#endif  // RUNTIME_EMULATION_WIRES_H_
