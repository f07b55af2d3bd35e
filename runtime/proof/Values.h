// Proof that every task of a program finds the values that it is meant to read
// (plan/Values.h).
//
// The tasks of a program are visited in the order in which they run, loops
// included, while Contents.h records which value each part of the arena holds.
// Nothing is computed: if each task reads the values that the compiler meant,
// for the right step and micro-batch, then its results are right too. So
// however the compiler ordered the tasks and assigned slots and offsets, a
// program that passes computes what its tasks are meant to compute. In
// particular:
//
// - no task reads a tensor that is overwritten, not made yet, or of another
//   micro-batch;
// - a sent tensor keeps its value until the send is finished, and a tensor that
//   is being received is left alone until it has arrived;
// - before the first update, parameters are unchanged, and gradients and the
//   outputs that do not depend on an update are complete;
// - at the end, parameters have their new values, outputs are complete, and
//   inputs are unchanged.
//
// That other ranks send what is received is proven by Waits.h.

#ifndef RUNTIME_PROOF_VALUES_H_
#define RUNTIME_PROOF_VALUES_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Fails at the first violation of these rules in entry `entry`, an index into
/// Plan::entries, of `program`. The plan must have passed plan::check, and the
/// values of the entry must be known. Visits plan::stepsThatShowAll steps; the
/// time taken is proportional to the number of task runs in them.
absl::Status checkValues(const plan::Plan& plan, const plan::Program& program,
                         size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_VALUES_H_
