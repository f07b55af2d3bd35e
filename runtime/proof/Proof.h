// Proof that a plan is right, before it becomes a program.
//
// plan::check compares the numbers of a plan (plan/Check.h). Here, in addition,
// the programs of all ranks are simulated: every rank must reach its end
// (Waits.h), and every task must find the values that it is meant to read
// (Values.h). A plan that passes computes what its tasks are meant to compute,
// whatever the relative speed of the ranks.
//
// The blocks of a loop are simulated in the order of plan::Loop::order. If
// messages decide the order at run time (plan::Loop::Messages), the real order
// may differ from it; runtime/execute/MessageOrder.h says why results stay the
// same.

#ifndef RUNTIME_PROOF_PROOF_H_
#define RUNTIME_PROOF_PROOF_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Returns OK, or the reason why an entry of `plan` would deadlock or compute
/// something else than it is meant to. The plan must have passed plan::check.
/// If the plan was read from a file, it has no values (plan/Values.h). Then
/// prove() finds only deadlocks, and collectives to which ranks come for
/// different micro-batches or steps.
///
/// A loop without blocks may have very many micro-batches. All its
/// micro-batches are alike, except for the values that are carried from one to
/// the next. So if no loop of an entry has blocks, only a few micro-batches of
/// each loop are simulated.
absl::Status prove(const plan::Plan& plan);

/// Returns a channel for each transfer of entry `entry` of `plan`
/// (plan::Transfer::channel), so that as few messages as possible overtake each
/// other on their channel (Channels.h). The plan must have passed prove().
std::vector<int64_t> channelsFor(const plan::Plan& plan, size_t entry);

/// Returns OK, or the reason why entry `entry` of `plan` would deadlock if
/// messages between two ranks are delivered in order (Channel::kInOrder). The
/// plan must have passed prove().
absl::Status proveInOrder(const plan::Plan& plan, size_t entry);

/// Returns OK, or the reason why entry `entry` of `plan` would deadlock if
/// ranks take messages in the order in which they start to receive
/// (Channel::kInOrderOfReceives). The plan must have passed prove().
absl::Status proveInOrderOfReceives(const plan::Plan& plan, size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PROOF_H_
