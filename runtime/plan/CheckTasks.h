// The checks of one entry's table of tasks; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_TASKS_H_
#define RUNTIME_PLAN_CHECK_TASKS_H_

#include <optional>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Whether `buffer` is a multiple of kBufferAlignment, and [buffer, buffer +
/// bytes) lies in [begin, end).
bool isBufferWithin(int64_t buffer, int64_t bytes, int64_t begin, int64_t end);

/// Returns the size in bytes of a dense tensor; nullopt if an extent is
/// negative, or if an extent or the size exceeds kMaxArenaBytes.
std::optional<int64_t> tensorBytes(ElementType type,
                                   const std::vector<int64_t>& shape);

/// Checks all fields of `task`, a task of `entry`, except `call`, for each of
/// `ranks`. These ranks are in the same groups, and run the task in an arena of
/// `arenaBytes` bytes.
absl::Status checkTask(const Plan& plan, const Entry& entry,
                       const std::vector<int64_t>& ranks, int64_t arenaBytes,
                       const Task& task);

/// Checks the transfers of `entry` on the ranks of `program`, which run
/// `entryProgram`. A rank in the source group of a transfer must start and
/// finish the send, and a rank in the target group the receive: Transfer::times
/// times per step, at most once per micro-batch, and each time the start before
/// the finish. Other ranks must not start or finish it. At the first update no
/// transfer may be under way, unless a late task (EntryProgram::firstLate)
/// finishes it.
absl::Status checkTransferEnds(const Plan& plan, const Entry& entry,
                               const Program& program,
                               const EntryProgram& entryProgram);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_TASKS_H_
