// What is proven of a plan before it becomes a program.
//
// Check.h looks at the numbers of a plan; here its programs are looked at as
// they run, those of all ranks together: every rank comes to its end (Waits.h),
// and every task finds what it wants (Values.h). A plan that passes computes
// what its task lists mean, in whatever order ranks get on.

#ifndef RUNTIME_PROOF_PROOF_H_
#define RUNTIME_PROOF_PROOF_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// OK, or why an entry of `plan`, which has passed plan::check, would not end,
/// or would compute something else. Of a plan that does not know its values,
/// such as one that was read, only the former is told.
///
/// Loops without blocks may run very often; each time is as the one before, but
/// for what is carried, so some times stand for all.
absl::Status prove(const plan::Plan& plan);

/// OK, or why an entry of `plan`, which is proven, would not end where messages
/// from one rank to another one go in order (Channel::kInOrder).
absl::Status proveInOrder(const plan::Plan& plan);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PROOF_H_
