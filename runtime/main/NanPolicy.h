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

/// Decides for each step whether to take it, which means to let it change
/// parameters. Cannot be used if steps overlap (plan::Entry::maxSkew).
class NanPolicy {
 public:
  NanPolicy(Session& session, StepGuard& guard, train::Progress& progress)
      : session(session), guard(guard), progress(progress) {}

  /// Returns whether to take step `step`, counted from 1. Prints a note if not.
  /// If the run must end, returns false and sets `refusal` to the reason. It
  /// must end if a number is not finite and --on-nan asks to stop then, or if
  /// --on-nan asks to skip the step but a parameter already has a number that
  /// is not finite. Every rank must call it, after all ranks have agreed on the
  /// numbers of the step (StepGuard.h); all get the same result.
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
