// The interface of the control plane, by which ranks agree and end together.
// The ranks are processes (ControlPlane.h) or threads (ThreadControl.h).
//
// The reason for which a world ends early is the verdict (AbortFlag.h).

#ifndef RUNTIME_WATCHDOG_CONTROL_H_
#define RUNTIME_WATCHDOG_CONTROL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/watchdog/Activity.h"

namespace sbp::watchdog {

/// One rank's end of the control plane.
class Control {
 public:
  virtual ~Control() = default;

  /// Gathers a text from every rank, in the order of ranks. Blocks until all
  /// ranks have called it, or until there is a verdict; then fails with code
  /// kAborted and the verdict. The k-th calls of all ranks belong together.
  virtual absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) = 0;

  /// Returns OK on every rank if `mine` is OK on all; otherwise, on all ranks,
  /// the error of the lowest rank that has one, prefixed with "rank R: " unless
  /// all ranks have the same error. Every rank must call it.
  absl::Status agree(const absl::Status& mine);

  /// Ends the world because this rank has failed, for `reason`, unless there is
  /// a verdict already. Returns when rank 0 knows the reason, or after a
  /// second. May be called from any thread.
  virtual void fail(const std::string& reason) = 0;

  /// Ends the world because this process was told to end, for instance by
  /// Ctrl-C, unless there is a verdict already. This is not an error: where
  /// ranks are processes, only rank 0 reports it, even if several ranks were
  /// told to end.
  virtual void interrupt() = 0;

  /// Blocks until every rank has called it; after that the rank may end without
  /// failing the world. Also returns, with code kAborted, if there is a
  /// verdict.
  virtual absl::Status finish() = 0;

  /// Permits this process to kill the process of `rank` if that stalls, because
  /// a process that is stopped might otherwise exist for ever. The process id
  /// of `rank` must be valid on this host. Has no effect if this process does
  /// not watch `rank`, or if ranks are threads.
  virtual void allowKill(int64_t rank) = 0;

  /// Returns "rank 2 (host node7, pid 4711)"; "rank 2" if ranks are threads.
  virtual std::string describe(int64_t rank) const = 0;

  /// Returns the activity of this rank, which the thread that runs the rank
  /// keeps up to date.
  Activity& activity() { return ownActivity; }

 private:
  Activity ownActivity;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_CONTROL_H_
