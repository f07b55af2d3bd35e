// Checks that the numbers and names of a plan agree, and are within limits.
//
// A plan that passes can be run without looking at its numbers again: every
// buffer lies within the arena of its entry, every placement is possible for
// its tensor, every collective has the shapes that its kind and group imply,
// and ranks that are members of the same collectives run these in one order.
//
// Whether ranks wait for each other for ever, and whether tasks find the values
// that they need, is not checked here, but by runtime/proof.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Limit on the arena of a rank, in bytes.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// Limit on the number of ranks of a group.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// Returns OK, or an error that names the first fault and its place. If two
/// facts disagree, the error names both.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
