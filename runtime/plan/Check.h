// Checks that the numbers and names of a plan agree, and are within limits.
//
// A plan that passes can be run without looking at its numbers again: every
// buffer lies within the arena that its entry asks for, every placement is
// possible for its tensor, every collective has the shapes that its kind and
// group imply, and the ranks of a group reach the same collectives over the
// same axes in the same order.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Limit on the arena of a rank, in bytes.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// Limit on the number of ranks of a mesh.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// Returns OK, or an error that names the first fault and where it is; for a
/// contradiction, the two facts that disagree.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
