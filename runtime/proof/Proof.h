// Proof that a plan is right, before it becomes a program.
//
// plan::check looks at the numbers of a plan. Here the programs of all ranks
// are simulated: every rank reaches its end (Waits.h), and every task finds the
// values that it wants (Values.h). A plan that passes computes what its
// task lists mean, whatever the relative speed of the ranks.

#ifndef RUNTIME_PROOF_PROOF_H_
#define RUNTIME_PROOF_PROOF_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Returns OK, or the reason why an entry of `plan` would deadlock or compute
/// something else than meant. The plan must have passed plan::check. If it has
/// no values, because it was read from a file, only deadlocks are found.
///
/// A loop without blocks may have very many micro-batches. These are all alike,
/// except for what is carried from one to the next, so only a few are examined.
absl::Status prove(const plan::Plan& plan);

/// Returns OK, or the reason why an entry of `plan` would deadlock if messages
/// between two ranks are delivered in order (Channel::kInOrder). The plan must
/// have passed `prove`.
absl::Status proveInOrder(const plan::Plan& plan);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PROOF_H_
