// The actions of a run: train, evaluate, sample. Every rank must call the same
// action; rank 0 shows the results.
//
// A run that does not save ends soon after a signal (Interrupt.h): the action
// then fails with a cancelled status on a rank that was told to end, and with
// an aborted one on the others.

#ifndef RUNTIME_MAIN_ACTIONS_H_
#define RUNTIME_MAIN_ACTIONS_H_

#include "absl/status/status.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Trains: runs a step per batch at the learning rate of the schedule, shows
/// the loss every --log-every steps, saves every --save-every steps, and
/// collects the outputs to be dumped of the last step. A run that saves ends
/// early, after the same step on every rank, if a rank was told to end or a
/// checkpoint could not be written. Returns OK, with the reason in the
/// session's `refusal`, if the treatment of numbers that are not finite
/// (NanPolicy.h) ends the run.
absl::Status train(Session& session);

/// Evaluates: runs the entry on the batches of the data, in their order, at
/// most --steps of them. Shows the outputs that are scalars, for each batch
/// and, unless --json is given, their means. Collects the outputs to be dumped.
absl::Status evaluate(Session& session);

/// Samples: prints the prompt, and then the model's continuation byte by byte.
/// The model sees the last bytes that fit into its input.
absl::Status sampleText(Session& session);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ACTIONS_H_
