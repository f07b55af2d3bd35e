// How long a process waits for others: so many seconds, or until it is told to
// end.

#ifndef RUNTIME_BOOTSTRAP_PATIENCE_H_
#define RUNTIME_BOOTSTRAP_PATIENCE_H_

#include <algorithm>
#include <atomic>
#include <chrono>

namespace sbp::bootstrap {

using Deadline = std::chrono::steady_clock::time_point;

/// Who waits looks at its patience this often. Shorter ends a wait sooner,
/// longer wakes up less often.
inline constexpr std::chrono::milliseconds kLookInterval(50);

struct Patience {
  /// From now on. `stopSignal` becomes the number of the signal that tells this
  /// process to end; null: none does.
  explicit Patience(double seconds,
                    const std::atomic<int>* stopSignal = nullptr)
      : seconds(seconds),
        deadline(std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<Deadline::duration>(
                     std::chrono::duration<double>(seconds))),
        stopSignal(stopSignal) {}

  /// The patience for a part of what is waited for: ends with this one, or
  /// after `most` seconds.
  Patience upTo(double most) const {
    const std::chrono::duration<double> left =
        deadline - std::chrono::steady_clock::now();
    return Patience(std::min(left.count(), most), stopSignal);
  }

  bool isToldToEnd() const { return stopSignal && *stopSignal != 0; }
  bool isOver() const {
    return isToldToEnd() || std::chrono::steady_clock::now() >= deadline;
  }

  const double seconds;
  const Deadline deadline;
  const std::atomic<int>* const stopSignal;
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_PATIENCE_H_
