// The checks of one entry's table of tasks; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_TASKS_H_
#define RUNTIME_PLAN_CHECK_TASKS_H_

#include <optional>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Whether `buffer` is a multiple of kBufferAlignment, and the `bytes` bytes
/// from it on lie in [begin, end).
bool isBufferWithin(int64_t buffer, int64_t bytes, int64_t begin, int64_t end);

/// Returns the size in bytes of a dense tensor; nullopt if an extent is
/// negative, or if an extent or the size exceeds kMaxArenaBytes.
std::optional<int64_t> tensorBytes(ElementType type,
                                   const std::vector<int64_t>& shape);

/// Checks `task` of `entry`, except its `call`, for each of `ranks`, which run
/// it in an arena of `arenaBytes` bytes and are in the same groups.
absl::Status checkTask(const Plan& plan, const Entry& entry,
                       const std::vector<int64_t>& ranks, int64_t arenaBytes,
                       const Task& task);

/// Checks the transfers of `entry` on the ranks of `program`, which run
/// `entryProgram`. Ranks in the group at one end of a transfer start and finish
/// that end Transfer::times times per step, at most once for a micro-batch, the
/// start first; other ranks never do. No transfer is under way at the first
/// update, except those that late tasks (EntryProgram::firstLate) finish.
absl::Status checkTransferEnds(const Plan& plan, const Entry& entry,
                               const Program& program,
                               const EntryProgram& entryProgram);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_TASKS_H_
