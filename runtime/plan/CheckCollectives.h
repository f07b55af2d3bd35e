// The checks of collectives; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_COLLECTIVES_H_
#define RUNTIME_PLAN_CHECK_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks one collective in an arena of `arenaBytes` bytes, for each of
/// `ranks`, which run it.
absl::Status checkCollectiveTask(const Plan& plan,
                                 const std::vector<int64_t>& ranks,
                                 int64_t arenaBytes,
                                 const CollectiveTask& task);

/// Checks that programs whose ranks meet in collectives over some axes of group
/// `group`, in entry `entry`, communicate alike over these: the k-th collective
/// of one that needs other ranks is the k-th of the other, but for shapes and
/// buffers, and in a bucket with the same ones. In what order those over other
/// axes come in between may differ: whether ranks wait for one another for ever
/// the proof sees (runtime/proof/Waits.h).
absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_COLLECTIVES_H_
