// A limit on the duration of a wait. The wait also ends if a signal tells this
// process to end.

#ifndef RUNTIME_BOOTSTRAP_WAITLIMIT_H_
#define RUNTIME_BOOTSTRAP_WAITLIMIT_H_

#include <algorithm>
#include <atomic>
#include <chrono>

namespace sbp::bootstrap {

using Deadline = std::chrono::steady_clock::time_point;

/// Interval at which a waiting process checks its limit. With a shorter
/// interval a wait ends sooner after a signal; with a longer one the process
/// wakes up less often.
inline constexpr std::chrono::milliseconds kLookInterval(50);

/// A deadline, and the signal that ends the wait early.
struct WaitLimit {
  /// Sets the deadline `seconds` from now. `*stopSignal` is 0 until a signal
  /// tells this process to end, and then the number of that signal. Null: no
  /// signal ends the wait.
  explicit WaitLimit(double seconds,
                     const std::atomic<int>* stopSignal = nullptr)
      : seconds(seconds),
        deadline(std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<Deadline::duration>(
                     std::chrono::duration<double>(seconds))),
        stopSignal(stopSignal) {}

  /// Returns the limit for a part of the wait. Its deadline is this deadline or
  /// `most` seconds from now, whichever is earlier.
  WaitLimit upTo(double most) const {
    const std::chrono::duration<double> left =
        deadline - std::chrono::steady_clock::now();
    return WaitLimit(std::min(left.count(), most), stopSignal);
  }

  bool isToldToEnd() const { return stopSignal && *stopSignal != 0; }
  bool isOver() const {
    return isToldToEnd() || std::chrono::steady_clock::now() >= deadline;
  }

  const double seconds;  // from the construction to the deadline
  const Deadline deadline;
  const std::atomic<int>* const stopSignal;
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_WAITLIMIT_H_
