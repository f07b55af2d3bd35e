// When a run saves, and what.
//
// Checkpoints are due every so many steps, and at the end. Rank 0 writes them;
// the others send it their parts and go on. That a file could not be written is
// therefore known to rank 0 alone, until it tells the others with the next
// step.

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

class Saver {
 public:
  /// `record` is what the checkpoints say of the run, its place aside. The plan
  /// must outlive this.
  Saver(const Options& options, const plan::Plan& plan,
        checkpoint::RunRecord record);

  /// Whether the user wants anything saved.
  bool isActive() const { return series.has_value(); }

  /// Takes the place of the checkpoints for this run alone, from now on. OK if
  /// those of a run up to `lastStep` can be written, as far as can be told
  /// before. For rank 0.
  absl::Status reserve(int64_t lastStep);

  /// Fingerprints of the data, by input.
  void setData(std::map<std::string, std::string> data) {
    record.data = std::move(data);
  }

  /// Whether noteStep() saves at `step`.
  bool isDue(int64_t step) const { return series && series->isDue(step); }

  /// The parameters have had `step` steps, which have read `sample` samples.
  /// Saves if a checkpoint is due. Every rank must call it; fails if the world
  /// aborts.
  absl::Status noteStep(int64_t step, int64_t sample,
                        const execute::Executor& executor,
                        communication::Communicator& communicator);

  /// Saves what is not saved yet, at the end, under the name that was given.
  /// Every rank must call it; fails if the world aborts, and on rank 0 if this
  /// file or the latest before it could not be written.
  absl::Status saveLast(const execute::Executor& executor,
                        communication::Communicator& communicator);

  /// Whether the latest file could not be written; known to rank 0 alone.
  bool hasFailed() const { return !latestFailure.ok(); }

  /// The file that has the end of the run, and the steps that it has had.
  const std::string& path() const { return series->path(); }
  int64_t step() const { return record.step; }

 private:
  const plan::Plan& plan;
  std::optional<checkpoint::Series> series;
  std::optional<file::FileLock> lock;
  checkpoint::RunRecord record;
  std::optional<int64_t> savedStep;
  absl::Status latestFailure;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_SAVER_H_
