// Proof that every task of a program finds the values that it is meant to read
// (plan/Values.h).
//
// The tasks of a program are visited in the order in which they run, loops
// included, while Contents.h records which value each part of the arena holds.
// Nothing is computed: if each task reads the values that the compiler meant,
// for the right step and micro-batch, then its results are right too. So a
// program that passes computes what its tasks are meant to compute, however the
// compiler has ordered the tasks and assigned slots and offsets. In particular:
//
// - no task reads a tensor that has been overwritten, has not been made yet, or
//   is of another micro-batch;
// - a sent tensor keeps its value until the send is finished, and the buffer of
//   a receive is neither read nor written until the receive is finished;
// - before the first update, parameters are unchanged, and gradients and the
//   outputs that do not depend on an update are complete;
// - at the end, parameters have their new values, outputs are complete, and
//   inputs are unchanged.
//
// Waits.h proves that other ranks send what is received.

#ifndef RUNTIME_PROOF_VALUES_H_
#define RUNTIME_PROOF_VALUES_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Fails at the first violation of these rules by `program` in entry `entry`,
/// an index into Plan::entries. The plan must have passed plan::check, and the
/// values of the entry must be known. Visits as many steps as
/// plan::stepsThatShowAll returns; takes time proportional to the number of
/// task runs in these steps.
absl::Status checkValues(const plan::Plan& plan, const plan::Program& program,
                         size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_VALUES_H_
