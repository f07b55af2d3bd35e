// Proof that every task of a program finds the values that it wants.
//
// The tasks of a program are visited in the order in which they run, loops
// included, while Contents.h records which value each part of the arena holds.
// Nothing is computed: if each task reads the values that the compiler meant,
// for the right micro-batch, then its results are right too. So however the
// compiler ordered the tasks and assigned slots and offsets, a program that
// passes computes what its task list means. In particular:
//
// - no task reads a tensor that is overwritten, not made yet, or of another
//   micro-batch;
// - a sent tensor keeps its value until the send is finished, and a tensor that
//   is being received is left alone until it has arrived;
// - parameters change only after the first update, and end with their new
//   values;
// - gradients are complete before the first update, outputs at the end, and
//   inputs are unchanged at the end.
//
// Whether other ranks send what is received is checked elsewhere: see Waits.h.

#ifndef RUNTIME_PROOF_VALUES_H_
#define RUNTIME_PROOF_VALUES_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Fails at the first task of entry `entry` of `program` that does not find a
/// value it wants. The plan must have passed its checks, and the values of the
/// entry must be known. Takes time proportional to the number of task runs.
absl::Status checkValues(const plan::Plan& plan, const plan::Program& program,
                         size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_VALUES_H_
