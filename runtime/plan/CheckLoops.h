// The checks of the loops of one entry: their blocks, the order in which the
// blocks run, and their slots; part of Check.h.

#ifndef RUNTIME_PLAN_CHECKLOOPS_H_
#define RUNTIME_PLAN_CHECKLOOPS_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks the loops of `program`, which is one of the entries of `of`:
///
/// - loops do not overlap, stand in ascending order, and do not span the first
///   update;
/// - the number of micro-batches is within limits;
/// - buffers of the loop itself, such as its slots, lie in the arena;
/// - the blocks of a loop cover its tasks, run as often as Block::numRuns says,
///   and never twice for one micro-batch;
/// - a loop has enough slots for its order;
/// - if messages decide the order, the agreement among the ranks is valid.
absl::Status checkLoops(const Plan& plan, const Program& of,
                        const EntryProgram& program);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECKLOOPS_H_
