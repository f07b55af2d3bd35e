// The checks of collectives; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_COLLECTIVES_H_
#define RUNTIME_PLAN_CHECK_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks the axes, shapes and buffers of `task` for each of `ranks`. These
/// ranks are in the same groups, and run the task in an arena of `arenaBytes`
/// bytes.
absl::Status checkCollectiveTask(const Plan& plan,
                                 const std::vector<int64_t>& ranks,
                                 int64_t arenaBytes,
                                 const CollectiveTask& task);

/// Compares the programs of the ranks of group `group` (an index into
/// Plan::groups), for entry `entry` (an index into Plan::entries). If ranks of
/// two programs are members of the same collectives over some axes, the
/// programs must communicate alike over these axes. The k-th collective of one
/// program that is not local (isLocal) must equal the k-th of the other, except
/// for shapes and buffers. The two must also run equally often, for
/// micro-batches in the same order, and in buckets of the same collectives.
/// Loops in which messages decide the order must have the same blocks,
/// urgencies and order of micro-batches.
///
/// Collectives over other axes are not compared: they may stand between the
/// compared ones, in a different order in each program. runtime/proof/Waits.h
/// checks that this causes no deadlock.
absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_COLLECTIVES_H_
