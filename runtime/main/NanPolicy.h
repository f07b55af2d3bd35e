// The treatment of steps whose numbers are not finite (--on-nan).

#ifndef RUNTIME_MAIN_NANPOLICY_H_
#define RUNTIME_MAIN_NANPOLICY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/main/Session.h"
#include "runtime/main/StepGuard.h"
#include "runtime/train/Progress.h"

namespace sbp::program {

/// Decides which steps are taken, which means that they change parameters. Not
/// for steps that overlap.
class NanPolicy {
 public:
  NanPolicy(Session& session, StepGuard& guard, train::Progress& progress)
      : session(session), guard(guard), progress(progress) {}

  /// Returns whether step `step`, counted from 1, is taken. Reports a step that
  /// is left out. If the run must end, returns false and sets `refusal` to the
  /// reason: --on-nan asks to stop, or asks to skip the step and a parameter is
  /// not finite already. Every rank must call it, after all ranks have agreed
  /// on the numbers of the step (StepGuard.h); all get the same result.
  absl::StatusOr<bool> takes(int64_t step, absl::Status& refusal);

  /// Reports how many of the run's `numSteps` steps were left out, if any were.
  void summarize(int64_t numSteps) const;

 private:
  /// Prints a note on rank 0.
  void note(const std::string& text) const;

  Session& session;
  StepGuard& guard;
  train::Progress& progress;
  int64_t numSkipped = 0;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_NANPOLICY_H_
