// How ranks agree and end together, whether they are processes or threads.

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

  /// Every rank gives a text and gets all of them, in the order of ranks.
  /// Blocks until all have called it, as often as this rank has; kAborted on a
  /// verdict.
  virtual absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) = 0;

  /// OK on every rank if `mine` is on all; otherwise, on all, the error of the
  /// lowest rank that has one, with "rank R: " before it unless all have the
  /// same.
  absl::Status agree(const absl::Status& mine);

  /// Ends the world because of this rank. Returns when the others have been
  /// told or a second has passed. Any thread may call it.
  virtual void fail(const std::string& reason) = 0;

  /// Ends the world because this process was told to end, say by Ctrl-C. That
  /// is no error: rank 0 alone says it, however many ranks were told.
  virtual void interrupt() = 0;

  /// Blocks until every rank has called it; from then on a rank may go.
  virtual absl::Status finish() = 0;

  /// Says that `rank` is a process that this one can see under its number.
  /// Should it stall, it is killed: nobody else would, and it would stay for
  /// ever.
  virtual void allowKill(int64_t rank) = 0;

  /// "rank 2 (host node7, pid 4711)".
  virtual std::string describe(int64_t rank) const = 0;

  /// What this rank is at; its own thread keeps it up to date.
  Activity& activity() { return ownActivity; }

 private:
  Activity ownActivity;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_CONTROL_H_
