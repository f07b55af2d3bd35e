// The checks that a plan must pass beyond its syntax: its numbers agree.
//
// A plan that passes can be run without looking at its numbers again: every
// buffer lies in the arena of its program, every placement is possible for its
// tensor, every collective has the shapes that its kind and group imply, and
// the ranks of a group reach the same collectives over the same axes in the
// same order.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Largest arena of a rank, in bytes.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// Largest number of ranks of a mesh.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// Returns OK, or an error that names the first contradiction, with the two
/// facts that disagree.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
