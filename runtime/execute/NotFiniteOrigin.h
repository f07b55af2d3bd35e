// The origin of numbers that are not finite: which task made the first one?
//
// The first part of a run (Executor::runUntilUpdate) changes no parameter, so
// it can be run again on the same inputs with the same results. In this second
// run each rank checks the operands and results of every task. A task is the
// origin if it makes NaN from operands without NaN, or an infinity from finite
// operands; later tasks only propagate. Infinities may be intended, as in a
// mask or as the identity of a maximum. So a task without operands, or a
// collective for a maximum or minimum, is never the origin. A transfer is never
// the origin either, because the sender has checked the data.
//
// If several ranks find an origin, the reported one is that before which its
// rank has run the fewest tasks; if these numbers are equal, that of the lowest
// rank. A parameter or input with a number that is not finite is an origin
// before all tasks.

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
/// returns a description of the origin of the first number that is not finite:
/// a parameter, an input, or a task with its call stack and its places in the
/// model's text. Returns an empty text if there is no such number. Every rank
/// must call it; all get the same text. Fails as Executor::runUntilUpdate does.
absl::StatusOr<std::string> originOfNotFinite(
    const plan::Plan& plan, size_t entry, Executor& executor,
    communication::Communicator& communicator,
    const std::atomic<bool>& isStopped);

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_NOTFINITEORIGIN_H_
