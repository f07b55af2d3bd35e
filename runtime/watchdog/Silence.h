// Measures how long each of several peers has been silent while this process
// listened.
//
// A peer that has been silent for a fixed time, the patience, counts as
// stalled. A process that was stopped, or got no processor, cannot distinguish
// the silence of others from its own. So the process that listens reports each
// round of listening by beginRound(). Of the time between two rounds, at most a
// quarter of the patience counts as silence.
//
//   patience 8 s; rank 1 is stopped at 0 s, the listener from 1 s to 6 s
//
//     1 s ... 6 s   counts as 2 s
//     11 s          8 s of silence: rank 1 has stalled
//
// So if all ranks of a world are stopped and resumed together, most of the
// patience is left in which each rank can be heard again.

#ifndef RUNTIME_WATCHDOG_SILENCE_H_
#define RUNTIME_WATCHDOG_SILENCE_H_

#include <chrono>
#include <cstddef>
#include <vector>

namespace sbp::watchdog {

/// The times at which peers were last heard, as far as they count.
class Silence {
 public:
  using Clock = std::chrono::steady_clock;

  /// The longest time between two rounds that counts in full is the patience
  /// divided by this number. With a larger number, ranks that resume one after
  /// the other have more time. With a smaller number, a stalled rank is found
  /// sooner on busy processors.
  static constexpr int kRoundsInPatience = 4;

  /// Constructs the silence of `numPeers` peers that were all heard at `now`.
  Silence(size_t numPeers, Clock::duration patience, Clock::time_point now);

  /// Begins a round of listening at `now`. Returns the part of the time since
  /// the last round that does not count.
  Clock::duration beginRound(Clock::time_point now);

  /// Records that `peer`, in [0, numPeers), has been heard at `now`.
  void noteHeard(size_t peer, Clock::time_point now) { lastHeard[peer] = now; }

  /// Returns the time for which nothing has been heard from `peer`, as far as
  /// it counts.
  Clock::duration of(size_t peer, Clock::time_point now) const {
    return now - lastHeard[peer];
  }

  /// Whether `peer` has been silent for as long as the patience.
  bool isStalled(size_t peer, Clock::time_point now) const {
    return of(peer, now) >= patience;
  }

 private:
  const Clock::duration patience;
  Clock::time_point lastRound;
  std::vector<Clock::time_point> lastHeard;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_SILENCE_H_
