// Checks that the numbers and names of a plan agree, and are within limits.
//
// A rank can run a plan that passes without looking at its numbers again: every
// buffer, at the offset that its task states, lies within the arena of its
// entry; every placement is possible for its tensor; and every collective has
// shapes on each rank that its kind and group allow. Ranks run the collectives
// over the same axes of one group in one order.
//
// Not checked here are whether ranks wait for each other for ever, for instance
// in collectives over different axes, and whether tasks find the values that
// they need (runtime/proof does that), nor whether the members of a collective
// have the same shapes, which they compare when they run it.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Limit on the arena of a rank and on a whole tensor, in bytes, and on the
/// extents of tensors.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// Limit on the number of ranks of a group.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// Returns OK, or an error that names the first fault, its place, and mostly
/// the two facts that disagree.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
