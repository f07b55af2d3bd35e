// The checks of one entry's table of tasks; part of Check.h.

#ifndef RUNTIME_PLAN_CHECK_TASKS_H_
#define RUNTIME_PLAN_CHECK_TASKS_H_

#include <optional>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// True if `bytes` bytes at `buffer` are aligned and lie in [begin, end).
bool isBufferWithin(int64_t buffer, int64_t bytes, int64_t begin, int64_t end);

/// Bytes of a dense tensor; nullopt if an extent is negative or the product
/// exceeds kMaxArenaBytes.
std::optional<int64_t> tensorBytes(ElementType type,
                                   const std::vector<int64_t>& shape);

/// Checks one task of `entry` in an arena of `arenaBytes` bytes, for each of
/// `ranks`, which run it.
absl::Status checkTask(const Plan& plan, const Entry& entry,
                       const std::vector<int64_t>& ranks, int64_t arenaBytes,
                       const Task& task);

/// Checks that the ranks of `program`, whose tasks of `entry` are
/// `entryProgram`, start and finish each time of each transfer once, if they
/// are of the group at that end, and else never; that they start it first; and
/// that none is under way at the first update.
absl::Status checkTransferEnds(const Plan& plan, const Entry& entry,
                               const Program& program,
                               const EntryProgram& entryProgram);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECK_TASKS_H_
