#include "runtime/main/NanPolicy.h"

#include <cstdio>

#include "runtime/file/Show.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp::program {

absl::StatusOr<bool> NanPolicy::takes(int64_t step, absl::Status& refusal) {
  if (guard.isFinite()) return true;
  switch (session.run.options.onNan) {
    case OnNan::kStop: {
      SBP_ASSIGN_OR_RETURN(const std::string explanation, guard.explanation());
      refusal = error("step {}: {}", step, explanation);
      return false;
    }
    case OnNan::kSkip: {
      SBP_ASSIGN_OR_RETURN(const std::string ruined, guard.ruinedParameter());
      if (!ruined.empty()) {
        refusal =
            error("step {}: {}, so that no step can be taken", step, ruined);
        return false;
      }
      note(fmt::format("step {} is left out: {}", step, guard.finding()));
      ++numSkipped;
      return false;
    }
    case OnNan::kContinue:
      return true;
  }
  return true;
}

void NanPolicy::summarize(int64_t numSteps) const {
  if (numSkipped > 0)
    note(fmt::format(
        "{} of {} left out, as their numbers were not finite", numSkipped,
        text::counted(numSteps, "step") + (numSteps == 1 ? " was" : " were")));
}

void NanPolicy::note(const std::string& text) const {
  if (!session.isFirstRank()) return;
  progress.endLine();
  file::show(stderr, fmt::format("note: {}\n", text::printable(text)));
}

}  // namespace sbp::program
