// Every task of a program finds what it wants.
//
// The tasks of a program are gone through as they run, loops and all, with a
// note of which value each part of the arena holds (Contents.h). Nothing is
// computed: that a task reads the values that the compiler meant, in the time
// that it runs for, is enough for its results to be what the compiler meant. So
// whatever was decided about the order of tasks, about slots and about places
// in memory, a program that passes computes what its task list does:
//
//   a tensor overwritten, not made yet, or of another micro-batch, is not read;
//   what is sent keeps its value until all have it, and what is received is
//   left alone until it is there;
//   parameters change in the second part of a run only, to what they are to be;
//   gradients are there before that, outputs in the end, inputs still.
//
// That other ranks send what is wanted is not seen here: see Waits.h.

#ifndef RUNTIME_PROOF_VALUES_H_
#define RUNTIME_PROOF_VALUES_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Fails at the first task of entry number `entry` of `program` that does not
/// find what it wants. The plan has passed its checks, and the values of the
/// entry are known. Takes time in proportion to the tasks that run.
absl::Status checkValues(const plan::Plan& plan, const plan::Program& program,
                         size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_VALUES_H_
