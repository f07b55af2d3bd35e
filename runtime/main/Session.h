// A run on one rank: the program, its parameters, the rank's part of the data,
// and the files that the run writes.
//
// A run has two phases. In the first phase everything that the user has given
// is checked, before long work begins. Each rank checks in prepare() what it
// can check alone, and all ranks agree on the first error. In checkTogether()
// the ranks divide the check of the data among themselves. In the second phase
// all ranks call perform() and writeFiles(). These functions find no error in
// what the user has given, unless a file has changed since it was checked.

#ifndef RUNTIME_MAIN_SESSION_H_
#define RUNTIME_MAIN_SESSION_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/communication/Communicator.h"
#include "runtime/data/Feed.h"
#include "runtime/data/Fingerprint.h"
#include "runtime/execute/Executor.h"
#include "runtime/main/Dumps.h"
#include "runtime/main/Interrupt.h"
#include "runtime/main/Options.h"
#include "runtime/main/ProgramCode.h"
#include "runtime/main/RankDevice.h"
#include "runtime/main/Saver.h"
#include "runtime/main/Selection.h"
#include "runtime/main/TraceFile.h"
#include "runtime/main/TrainingSettings.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The compiled program and what it is to do. It is the same on all ranks,
/// except for some options (StartOf.h). The objects to which the members refer
/// must outlive the run.
struct ProgramRun {
  const Options& options;
  const plan::Plan& plan;
  const ProgramCode& code;
  Selection selection;
  Interruption interruption;
  // Only one rank of each process may use them.
  data::Fingerprints& fingerprints;

  const plan::Entry& entry() const { return plan.entries[selection.entry]; }
};

/// One rank of a run.
struct Session {
  const ProgramRun& run;
  communication::Communicator& communicator;
  std::optional<checkpoint::Checkpoint> loaded;  // closed by perform()
  TrainingSettings settings;  // only the seed counts if the run does not train
  RankDevice device;          // on which `executor` runs
  execute::Executor executor;
  data::Feed feed;
  Dumps dumps;
  Saver saver;
  TraceFile trace;
  bool isComplete = true;  // false: training ended before the last step
  int stopSignal = 0;      // signal that ended the training; 0: none
  // If not OK, the run has ended because numbers were not finite, and this is
  // the message.
  absl::Status refusal = absl::OkStatus();

  /// Prepares a run. Every rank must call it. Fails if this rank or another
  /// rank finds an error in what the user has given.
  static absl::StatusOr<Session> prepare(
      const ProgramRun& run, communication::Communicator& communicator);

  bool isFirstRank() const { return communicator.rank() == 0; }
  bool isTraining() const { return run.selection.action == Action::kTrain; }

  /// Returns the number of batches that the action reads from the data:
  /// training steps, or batches to evaluate; 0 if it samples.
  int64_t numBatches() const;

  /// Checks what ranks can only check together: that output files can be
  /// written, and that the data which this run will read is valid. If this run
  /// continues the training of a checkpoint, also checks that the data is the
  /// same as in the run that wrote the checkpoint, unless --load-anyway accepts
  /// other data. Every rank must call it; all get the same status.
  absl::Status checkTogether();

  /// Prints notes about the settings, the checkpoint and the data on stderr.
  /// Call it on one rank only.
  void showNotes() const;

  /// Performs the selected action, after showing the notes on rank 0. Every
  /// rank must call it. Afterwards `refusal` is OK on all ranks or on none; if
  /// it is not OK, writeFiles() must not be called.
  absl::Status perform();

  /// Writes the files that are due at the end: the last checkpoint, the dumps
  /// unless training ended early, and the trace. Every rank must call it; all
  /// get the same status.
  absl::Status writeFiles();
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SESSION_H_
