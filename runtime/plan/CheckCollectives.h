// The checks of collectives; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_COLLECTIVES_H_
#define RUNTIME_PLAN_CHECK_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks the collective `task` for each of `ranks`, which run it in an arena
/// of `arenaBytes` bytes.
absl::Status checkCollectiveTask(const Plan& plan,
                                 const std::vector<int64_t>& ranks,
                                 int64_t arenaBytes,
                                 const CollectiveTask& task);

/// Checks that programs whose ranks are members of the same collectives over
/// some axes of group `group`, in entry `entry`, communicate alike over these
/// axes: the k-th communicating collective of one program equals the k-th of
/// the other, except for shapes and buffers, and is in a bucket with the same
/// collectives. Between them, collectives over other axes may come in different
/// orders; runtime/proof/Waits.h checks that this causes no deadlock.
absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_COLLECTIVES_H_
