// What a plan must satisfy beyond its form: the numbers agree with each other.
//
// A plan that passes can be run without a look at its numbers: every buffer
// lies in the arena of its program, every placement is one that its tensor can
// have, every collective has the shapes that its kind and group give, and ranks
// of one group reach the same collectives over the same axes in the same order.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// No rank owns more than this.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// No mesh has more ranks than this.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// OK, or the first contradiction, with the two facts that disagree.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
