// Saving of checkpoints during and after a run.
//
// Checkpoints are due every --save-every steps, and at the end. Rank 0 writes
// them; the other ranks send their boxes (plan/Box.h) and go on. So if a file
// could not be written, at first only rank 0 knows this. It informs the other
// ranks in the agreement of the next step (train/StepAgreement.h).

#ifndef RUNTIME_MAIN_SAVER_H_
#define RUNTIME_MAIN_SAVER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "runtime/checkpoint/RunRecord.h"
#include "runtime/checkpoint/Series.h"
#include "runtime/communication/Communicator.h"
#include "runtime/execute/Executor.h"
#include "runtime/file/FileLock.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Writes the checkpoints of a run.
class Saver {
 public:
  /// Creates the saver of a run. `record` describes the run in its checkpoints;
  /// the step and the sample of `record` are those at which the run begins. The
  /// plan must outlive this object.
  Saver(const Options& options, const plan::Plan& plan,
        checkpoint::RunRecord record);

  /// Whether a path to save to was given.
  bool isActive() const { return series.has_value(); }

  /// Locks the path of the checkpoints for this run, until this object is
  /// destroyed. Fails if another process holds the lock, or if it can be seen
  /// already that the checkpoints up to step `lastStep` cannot be written. Call
  /// it on rank 0 only.
  absl::Status reserve(int64_t lastStep);

  /// Sets the fingerprints of the data (data/Fingerprint.h), by input, which
  /// checkpoints record.
  void setData(std::map<std::string, std::string> data) {
    record.data = std::move(data);
  }

  /// Whether noteStep() saves at `step`.
  bool isDue(int64_t step) const { return series && series->isDue(step); }

  /// Records that `step` training steps are done and that the next step begins
  /// at position `sample` in the data. Saves if a checkpoint is due. Every rank
  /// must call it. Fails if the world aborts; if the file cannot be written,
  /// returns OK, and hasFailed() is true on rank 0.
  absl::Status noteStep(int64_t step, int64_t sample,
                        const execute::Executor& executor,
                        communication::Communicator& communicator);

  /// Saves the state after the last step under the path of --save, unless
  /// noteStep() has saved that step or tried to. Every rank must call it. Fails
  /// if the world aborts, and on rank 0 if this file or the latest one of
  /// noteStep() could not be written.
  absl::Status saveLast(const execute::Executor& executor,
                        communication::Communicator& communicator);

  /// Whether the latest file of noteStep() could not be written. False on ranks
  /// other than 0, which do not know this.
  bool hasFailed() const { return !latestFailure.ok(); }

  /// The path under which the newest checkpoint is found (checkpoint::Series).
  /// Requires isActive().
  const std::string& path() const { return series->path(); }
  /// Returns the number of training steps done so far, including those before
  /// this run.
  int64_t step() const { return record.step; }

 private:
  const plan::Plan& plan;
  std::optional<checkpoint::Series> series;
  std::optional<file::FileLock> lock;
  checkpoint::RunRecord record;
  std::optional<int64_t> savedStep;  // step of the latest file of noteStep()
  absl::Status latestFailure;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SAVER_H_
