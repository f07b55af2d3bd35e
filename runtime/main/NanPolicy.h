// What becomes of a step whose numbers are not finite, as --on-nan says.

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

class NanPolicy {
 public:
  NanPolicy(Session& session, StepGuard& guard, train::Progress& progress)
      : session(session), guard(guard), progress(progress) {}

  /// Whether step `step`, counted from 1, on which all ranks have agreed, is to
  /// be taken; says so if it is left out. If the run is to end, `refusal` says
  /// why. Alike on all ranks, and every rank must call it.
  absl::StatusOr<bool> takes(int64_t step, absl::Status& refusal);

  /// Says how many of `numSteps` steps were left out, if any.
  void summarize(int64_t numSteps) const;

 private:
  /// Says it on rank 0.
  void note(const std::string& text) const;

  Session& session;
  StepGuard& guard;
  train::Progress& progress;
  int64_t numSkipped = 0;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_NANPOLICY_H_
