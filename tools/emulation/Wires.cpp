#include "tools/emulation/Wires.h"

#include <algorithm>

namespace sbp::emulation {

double Wires::secondsOf(int64_t bytes) const {
  if (link_.bytesPerSecond == 0) return 0;
  return static_cast<double>(bytes) / link_.bytesPerSecond;
}

double Wires::leave(int64_t from, int64_t bytes, double now) {
  outgoing_[from] = std::max(outgoing_[from], now) + secondsOf(bytes);
  return outgoing_[from] + link_.latencySeconds;
}

double Wires::deliver(int64_t to, int64_t bytes, double arrival) {
  // The first byte came earlier, by the duration of the frame.
  incoming_[to] = std::max(arrival, incoming_[to] + secondsOf(bytes));
  return incoming_[to];
}

}  // namespace sbp::emulation
