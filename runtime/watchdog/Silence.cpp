#include "runtime/watchdog/Silence.h"

#include <algorithm>

namespace sbp::watchdog {

Silence::Silence(size_t numPeers, Clock::duration patience,
                 Clock::time_point now)
    : patience(patience), lastRound(now), lastHeard(numPeers, now) {}

Silence::Clock::duration Silence::beginRound(Clock::time_point now) {
  const Clock::duration counted =
      std::min<Clock::duration>(now - lastRound, patience / kRoundsInPatience);
  const Clock::duration asleep = now - lastRound - counted;
  for (Clock::time_point& heard : lastHeard) heard += asleep;
  lastRound = now;
  return asleep;
}

}  // namespace sbp::watchdog
