// How a rank waits for another one.
//
// A wait of a collective is mostly shorter than a microsecond when every rank
// has a core, so it spins first. When ranks are more than cores, the one that
// is waited for may need this core: a spin would last until the scheduler's
// quantum is over, a thousand times the wait. So it soon yields.
//
// A wait that is still not over is for a slow network, or for a rank that
// computes. Then it sleeps, for a sixteenth of what it has waited so far, so
// that it ends at most that much late: whoever needs the core gets it, and who
// wakes up comes before those that have been running. (One that yields comes
// after them, and on a machine that does something else too that is
// milliseconds.)
//
// Whatever the case, it looks at the abort flag each time round.

#ifndef RUNTIME_COMMUNICATION_WAITER_H_
#define RUNTIME_COMMUNICATION_WAITER_H_

#include <sched.h>

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "runtime/watchdog/AbortFlag.h"

namespace sbp::communication {

class Waiter {
 public:
  /// `hasOwnCore`: no more ranks than cores on this host.
  Waiter(const watchdog::AbortFlag& flag, bool hasOwnCore)
      : flag(flag), numSpins(hasOwnCore ? kSpinsOnOwnCore : kSpins) {}

  /// Calls `isReady` until it is true and returns true, or false when the world
  /// has ended first.
  template <typename Predicate>
  bool until(const Predicate& isReady) const {
    Clock::time_point begin;
    for (int64_t round = 0; !isReady(); ++round) {
      if (flag.isRaised()) return false;
      if (round < numSpins) {
        __builtin_ia32_pause();
        continue;
      }
      const Clock::time_point now = Clock::now();
      if (round == numSpins) begin = now;
      rest(now - begin);
    }
    return true;
  }

  /// Why a wait has returned false.
  absl::Status endOfWorld() const { return flag.status(); }

 private:
  using Clock = std::chrono::steady_clock;

  // In pauses of about 50 ns. With a core of its own a rank spins about as long
  // as a switch to another process and back would take.
  static constexpr int64_t kSpinsOnOwnCore = 400;
  static constexpr int64_t kSpins = 20;

  /// Leaves the core to others for a moment, after a wait of `waited`.
  static void rest(Clock::duration waited);

  const watchdog::AbortFlag& flag;
  int64_t numSpins;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WAITER_H_
