// The checks of collectives; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_COLLECTIVES_H_
#define RUNTIME_PLAN_CHECK_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks the axes, shapes and buffers of `task` for each of `ranks`, which run
/// it in an arena of `arenaBytes` bytes and are in the same groups.
absl::Status checkCollectiveTask(const Plan& plan,
                                 const std::vector<int64_t>& ranks,
                                 int64_t arenaBytes,
                                 const CollectiveTask& task);

/// Compares, for entry `entry`, the programs whose ranks are in group `group`
/// (indices into Plan::entries and Plan::groups). If ranks of two programs are
/// members of the same collectives over some axes, the programs must
/// communicate alike over these axes: the k-th collective of one program that
/// is not local (isLocal) equals the k-th of the other, except for shapes and
/// buffers, runs as often and for micro-batches in the same order, and is in a
/// bucket with the same collectives. Loops in which messages decide the order
/// must have the same blocks, urgencies and order of micro-batches.
///
/// Collectives over other axes may stand between those compared, in a different
/// order in each program. runtime/proof/Waits.h checks that this causes no
/// deadlock.
absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_COLLECTIVES_H_
