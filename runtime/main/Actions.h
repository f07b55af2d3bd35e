// The actions of a run: train, evaluate, sample. Every rank must call the same
// action; rank 0 shows the results.
//
// A run that does not save ends soon after a signal (Interrupt.h). Then the
// action fails with code kCancelled on a rank that was told to end, and with
// code kAborted on the other ranks.

#ifndef RUNTIME_MAIN_ACTIONS_H_
#define RUNTIME_MAIN_ACTIONS_H_

#include "absl/status/status.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Trains: runs one step per batch, with the learning rate of the schedule.
/// Shows the loss every --log-every steps, and saves every --save-every steps.
/// After the last step, collects the outputs that are to be dumped (Dumps.h). A
/// run that saves ends early, after the same step on every rank, if a rank was
/// told to end or a checkpoint could not be written. Returns OK, with the
/// reason in the session's `refusal`, if the treatment of numbers that are not
/// finite (NanPolicy.h) ends the run.
absl::Status train(Session& session);

/// Evaluates: runs the entry on the batches of the data, in their order, and on
/// at most --steps of them. Shows the scalar outputs of each batch; at the end,
/// unless --json is given, also their means over all batches. Collects the
/// outputs to be dumped.
absl::Status evaluate(Session& session);

/// Samples: prints the prompt, and then the model's continuation byte by byte.
/// For each byte, the model's input is as many of the latest bytes as fit.
absl::Status sampleText(Session& session);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ACTIONS_H_
