// The origin of numbers that are not finite: which task made the first one?
//
// The first part of a run changes no parameter, so it can be run again on the
// same inputs with the same results. This time each rank checks the operands
// and results of every task. A task is the origin if it makes NaN from operands
// without NaN, or an infinity from finite operands; later tasks only propagate.
// Infinities may be meant, as in a mask or as the identity of a maximum. So a
// task without operands, or a collective for a maximum or minimum, is never the
// origin. Neither is a transfer: the sender has checked what it sends.
//
// If several ranks find an origin, the one with the fewest tasks run before it
// on its rank is reported; among equals, the one of the lowest rank. Parameters
// and inputs count as before all tasks.

#ifndef RUNTIME_EXECUTE_NOTFINITEORIGIN_H_
#define RUNTIME_EXECUTE_NOTFINITEORIGIN_H_

#include <atomic>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// Returns a description of the first parameter on this rank that is not
/// finite: its name, the value and its index. Empty if all are finite. Fails if
/// the device does.
absl::StatusOr<std::string> parameterNotFinite(const plan::Plan& plan,
                                               int64_t rank,
                                               const Executor& executor);

/// Runs the first part of `entry` (an index into Plan::entries) again, and
/// describes where the first number that is not finite comes from: a parameter,
/// an input, or a task with its call stack and places in the model's text;
/// empty if there is none. Every rank must call it; all get the same text.
/// Fails as Executor::runUntilUpdate does.
absl::StatusOr<std::string> originOfNotFinite(
    const plan::Plan& plan, size_t entry, Executor& executor,
    communication::Communicator& communicator,
    const std::atomic<bool>& isStopped);

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_NOTFINITEORIGIN_H_
