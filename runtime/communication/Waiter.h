// Waits for another rank by spinning, then yielding, then sleeping.
//
// If every rank has a core of its own, a wait in a collective is usually
// shorter than a microsecond, so the waiter spins first. If there are more
// ranks than cores, the awaited rank may need this core. Spinning would hold
// the core for the rest of the scheduler's time slice, which is a thousand
// times as long as such a wait. So the waiter soon yields.
//
// If a wait lasts for more than 200 us, the network is slow or the awaited rank
// computes. From then on the waiter sleeps each time for a sixteenth of the
// time that it has waited so far, but at most 100 us, so that it prolongs the
// wait by at most a sixteenth. A sleeper leaves the core to other threads, and
// when it wakes up it is scheduled before threads that have been running. (A
// thread that yields is scheduled after them; on a machine with other work this
// takes milliseconds.)
//
// Every iteration checks the abort flag.

#ifndef RUNTIME_COMMUNICATION_WAITER_H_
#define RUNTIME_COMMUNICATION_WAITER_H_

#include <sched.h>

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "runtime/watchdog/AbortFlag.h"

namespace sbp::communication {

/// Waits for other ranks; the head of this file says how.
class Waiter {
 public:
  /// Constructs a waiter. `hasOwnCore` says that this host has no more ranks
  /// than cores.
  Waiter(const watchdog::AbortFlag& flag, bool hasOwnCore)
      : flag(flag), numSpins(hasOwnCore ? kSpinsOnOwnCore : kSpins) {}

  /// Calls `isReady` until it returns true. Returns true then, or false if the
  /// world has ended first.
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

  /// Returns the error that has ended the world. Must be called only after
  /// until() has returned false.
  absl::Status endOfWorld() const { return flag.status(); }

 private:
  using Clock = std::chrono::steady_clock;

  // Numbers of pauses of about 50 ns. With a core of its own a rank spins about
  // as long as two context switches would take.
  static constexpr int64_t kSpinsOnOwnCore = 400;
  static constexpr int64_t kSpins = 20;

  /// Yields, or sleeps if the wait has lasted for long. `waited` is the time
  /// since the end of the spinning.
  static void rest(Clock::duration waited);

  const watchdog::AbortFlag& flag;
  int64_t numSpins;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WAITER_H_
