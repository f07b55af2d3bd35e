#include "tools/emulation/Wires.h"

#include <algorithm>

namespace sbp::emulation {

double Wires::secondsOf(int64_t bytes) const {
  if (link.bytesPerSecond == 0) return 0;
  return static_cast<double>(bytes) / link.bytesPerSecond;
}

double Wires::leave(int64_t from, int64_t bytes, double now) {
  outgoing[from] = std::max(outgoing[from], now) + secondsOf(bytes);
  return outgoing[from] + link.latencySeconds;
}

double Wires::deliver(int64_t to, int64_t bytes, double arrival) {
  // The first byte came earlier, by the duration of the frame.
  incoming[to] = std::max(arrival, incoming[to] + secondsOf(bytes));
  return incoming[to];
}

}  // namespace sbp::emulation
