// A second look at a step that went wrong: which task made the first number
// that is not finite?
//
// The first part of a run changes no parameter, so it can be run again on the
// same inputs, and gives the same bits. This time each rank looks at what every
// task takes and gives. To blame is a task that makes NaN although it takes
// none, or an infinity although all that it takes is finite; those behind it
// only hand on what they got. An infinity that nobody computes, such as that of
// a mask or of the identity of a maximum, is as it should be.
//
// Of all ranks' tasks the first in the order of the program counts.

#ifndef RUNTIME_EXECUTE_SECONDLOOK_H_
#define RUNTIME_EXECUTE_SECONDLOOK_H_

#include <atomic>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// A parameter, as this rank has it, that is not finite, and where; empty if
/// all are.
std::string parameterNotFinite(const plan::Plan& plan, int64_t rank,
                               const Executor& executor);

/// Runs the first part of `entry` (an index into Plan::entries) again and says
/// where the first number that is not finite comes from: a parameter, an input,
/// or a task with the functions in which it stands; empty if there is none. The
/// same on every rank, and every rank must call it. Fails as
/// Executor::runUntilUpdate does.
absl::StatusOr<std::string> originOfNotFinite(
    const plan::Plan& plan, size_t entry, Executor& executor,
    communication::Communicator& communicator,
    const std::atomic<bool>& isStopped);

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_SECONDLOOK_H_
