// The actions of a run: train, evaluate, sample. Every rank must call the same
// one; rank 0 shows the results.

#ifndef RUNTIME_MAIN_ACTIONS_H_
#define RUNTIME_MAIN_ACTIONS_H_

#include "absl/status/status.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Trains: runs a step per batch at the learning rate of the schedule, shows
/// the loss, and saves at the intervals that the options give. Ends early,
/// after the same step on every rank, if a rank was told to stop or could not
/// save. Ends with the reason in the session's `refusal` if a step's numbers
/// are not finite and --on-nan asks to stop.
absl::Status train(Session& session);

/// Evaluates: runs the entry on each batch of the data, in order, shows the
/// outputs that are scalars, and collects the outputs to be dumped.
absl::Status evaluate(Session& session);

/// Samples: prints the prompt and the model's continuation, byte by byte. The
/// model sees the last bytes that fit into its input.
absl::Status sampleText(Session& session);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ACTIONS_H_
