// Checks that the numbers and names of a plan agree, and are within limits.
//
// A plan that passes needs no further checks of its numbers when a rank runs
// it:
//
//   - Every buffer lies within the arena of its entry.
//   - Every placement is possible for its tensor.
//   - On each rank, the kind and the group of every collective allow its
//     shapes.
//   - Members of collectives over the same axes of a group run these
//     collectives in the same order.
//
// Other properties are checked elsewhere. runtime/proof checks that tasks find
// the values that they need, and that ranks do not wait for each other for
// ever, for instance because they run collectives over different axes in
// different orders. The members of a collective check that their shapes agree
// when they run the collective.

#ifndef RUNTIME_PLAN_CHECK_H_
#define RUNTIME_PLAN_CHECK_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Limit on the size of a rank's arena and of a whole tensor, in bytes. No
/// single extent of a tensor may be greater than this number either.
inline constexpr int64_t kMaxArenaBytes = int64_t{1} << 46;

/// Limit on the number of ranks of a group.
inline constexpr int64_t kMaxRanks = int64_t{1} << 16;

/// Returns OK, or an error that names the first fault, its place, and usually
/// the two facts that disagree.
absl::Status check(const Plan& plan);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_H_
