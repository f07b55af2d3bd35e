// How long each of some peers has been silent, while somebody listened.
//
// A process that was stopped, or that got no processor, cannot tell the others'
// silence from its own. So the clocks stand still while the listener sleeps:
// who listens says so round by round, and of a pause longer than a quarter of
// the patience only that much counts.
//
//   patience 8 s; rank 1 is stopped at 0 s, the listener from 1 s to 6 s
//
//     1 s ... 6 s   counts as 2 s
//     11 s          8 s of silence: rank 1 has stalled
//
// A world that is stopped and goes on as a whole so has most of its patience
// left, for each rank to be heard again.

#ifndef RUNTIME_WATCHDOG_SILENCE_H_
#define RUNTIME_WATCHDOG_SILENCE_H_

#include <chrono>
#include <cstddef>
#include <vector>

namespace sbp::watchdog {

class Silence {
 public:
  using Clock = std::chrono::steady_clock;

  /// The patience over this is the longest round that counts in full. More such
  /// rounds, which are shorter, leave ranks that resume one after the other
  /// more time; fewer find a stalled rank sooner where processors are busy.
  static constexpr int kRoundsInPatience = 4;

  Silence(size_t numPeers, Clock::duration patience, Clock::time_point now);

  /// The listener begins a round at `now`. Returns how much of the time since
  /// the last one does not count.
  Clock::duration beginRound(Clock::time_point now);

  void noteHeard(size_t peer, Clock::time_point now) { lastHeard[peer] = now; }

  /// How long nothing has been heard of a peer.
  Clock::duration of(size_t peer, Clock::time_point now) const {
    return now - lastHeard[peer];
  }

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
