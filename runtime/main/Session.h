// One rank of a run, ready to go: its kernels, its parameters, its part of the
// data, and the files that will be written.
//
// A run has two phases. prepare() looks at everything that the user gave,
// without the other ranks, so that all ranks can agree on the first mistake
// before anything long begins; then, in checkFiles(), they share the look at
// the files. What follows takes all ranks, and fails only if something breaks.

#ifndef RUNTIME_MAIN_SESSION_H_
#define RUNTIME_MAIN_SESSION_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/Abi.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cpu/Features.h"
#include "runtime/data/Feed.h"
#include "runtime/data/Fingerprint.h"
#include "runtime/execute/Executor.h"
#include "runtime/main/Course.h"
#include "runtime/main/Dumps.h"
#include "runtime/main/Interrupt.h"
#include "runtime/main/Options.h"
#include "runtime/main/Saver.h"
#include "runtime/main/Selection.h"
#include "runtime/main/TraceFile.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// What was compiled, and what is to be done with it; the same on every rank,
/// and alive for the whole run.
struct Run {
  const Options& options;
  const plan::Plan& plan;
  const SbpKernel* kernels;
  const cpu::Processor& processor;  // that they are for
  Selection selection;
  Interruption interruption;
  data::Fingerprints& fingerprints;  // for the first rank of a process

  const plan::Entry& entry() const { return plan.entries[selection.entry]; }
};

struct Session {
  const Run& run;
  communication::Communicator& communicator;
  std::optional<checkpoint::Checkpoint> loaded;
  Course course;  // of a run that trains
  execute::Executor executor;
  data::Feed feed;
  Dumps dumps;
  Saver saver;
  TraceFile trace;
  bool isComplete = true;  // false: it ended before its last step
  int stopSignal = 0;      // because of this signal
  absl::Status refusal = absl::OkStatus();  // its numbers went wrong

  /// Fails on the first thing that the user got wrong, as this rank sees it.
  static absl::StatusOr<Session> prepare(
      const Run& run, communication::Communicator& communicator);

  bool isFirstRank() const { return communicator.rank() == 0; }
  bool isTraining() const { return run.selection.action == Action::kTrain; }

  /// How many batches the action takes: steps of training, or of the data.
  int64_t numBatches() const;

  /// Looks at what one rank can see for all: whether the files can be written,
  /// whether the data is what the loaded run was trained on, and whether what
  /// this one will read of it is such as the model takes. Every rank must call
  /// it; all fail alike.
  absl::Status checkFiles();

  /// Says what people should know of what was given. For one rank.
  void showNotes() const;

  /// Does what was selected. Every rank must call it. If there is a `refusal`
  /// then, all ranks have it, and no file is to be written.
  absl::Status perform();

  /// Writes the files that are wanted at the end. Every rank must call it; all
  /// fail alike.
  absl::Status writeFiles();
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SESSION_H_
