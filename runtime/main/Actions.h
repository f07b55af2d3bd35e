// What a run can do with its entry: train, evaluate, sample. Every rank calls
// the same; rank 0 shows what comes out.

#ifndef RUNTIME_MAIN_ACTIONS_H_
#define RUNTIME_MAIN_ACTIONS_H_

#include "absl/status/status.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Runs the entry on batch after batch, at a learning rate that follows the
/// schedule, shows the loss, and saves when it is time to. Ends early, after
/// the same step on every rank, if one of them was told to or could not save;
/// and at a step whose numbers are not finite, and which is not to be left out
/// or taken all the same, with the reason in the session's `refusal`.
absl::Status train(Session& session);

/// Runs the entry on each batch of the data in order, shows the outputs that
/// are scalars, and collects those that are to be dumped.
absl::Status evaluate(Session& session);

/// Prints the prompt and what the model goes on with, byte by byte. The model
/// sees the last bytes that its input has room for.
absl::Status sampleText(Session& session);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_ACTIONS_H_
