// How a rank waits for another one.
//
// A wait of a collective is mostly shorter than a microsecond when every rank
// has a core, so it spins first. When ranks are more than cores, the one that
// is waited for may need this core: a spin would last until the scheduler's
// quantum is over, a thousand times the wait. So it soon yields, and whatever
// the case, it looks at the abort flag each time round.

#ifndef RUNTIME_COMMUNICATION_WAITER_H_
#define RUNTIME_COMMUNICATION_WAITER_H_

#include <sched.h>

#include <cstdint>

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
    for (int64_t round = 0; !isReady(); ++round) {
      if (flag.isRaised()) return false;
      if (round < numSpins) {
        __builtin_ia32_pause();
      } else {
        sched_yield();
      }
    }
    return true;
  }

 private:
  // In pauses of about 50 ns. With a core of its own a rank spins about as long
  // as a switch to another process and back would take.
  static constexpr int64_t kSpinsOnOwnCore = 400;
  static constexpr int64_t kSpins = 20;

  const watchdog::AbortFlag& flag;
  int64_t numSpins;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WAITER_H_
