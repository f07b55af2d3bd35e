// The flag that is raised when the world (all ranks of a run) ends early, and
// the reason for which it ends. Every loop that waits for another rank must
// test isRaised() in each iteration.
//
// The reason is the one with which a thread first raises the flag. Later
// reasons are assumed to be consequences, and are ignored.

#ifndef RUNTIME_WATCHDOG_ABORTFLAG_H_
#define RUNTIME_WATCHDOG_ABORTFLAG_H_

#include <atomic>
#include <mutex>
#include <string>

#include "absl/status/status.h"

namespace sbp::watchdog {

/// A flag with a reason. May be used from any thread.
class AbortFlag {
 public:
  /// Whether the flag is raised. Cheap enough for a spin loop.
  bool isRaised() const { return raised.load(std::memory_order_relaxed); }

  /// Raises the flag for `reason`, unless it is raised already. Returns whether
  /// this call raised it.
  bool raise(const std::string& reason) {
    std::lock_guard<std::mutex> lock(mutex);
    if (isRaised()) return false;
    verdict = reason;
    raised.store(true, std::memory_order_release);
    return true;
  }

  /// Returns OK if the flag is not raised, otherwise kAborted with the reason.
  absl::Status status() const {
    if (!isRaised()) return absl::OkStatus();
    std::lock_guard<std::mutex> lock(mutex);
    return absl::AbortedError(verdict);
  }

 private:
  std::atomic<bool> raised{false};
  mutable std::mutex mutex;
  std::string verdict;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_ABORTFLAG_H_
