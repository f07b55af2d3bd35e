// The checkpoint files of a run that saves at an interval. Example: --save
// gpt.safetensors, a checkpoint every 100 steps, the newest two kept:
//
//   step 100   gpt-000100.safetensors <- gpt.safetensors
//   step 200   gpt-000100.safetensors,
//              gpt-000200.safetensors <- gpt.safetensors
//   step 300   gpt-000200.safetensors,
//              gpt-000300.safetensors <- gpt.safetensors
//   step 350   gpt-000200.safetensors, gpt-000300.safetensors,
//   (the end)  gpt.safetensors
//
// During the run the name without a number is a link to the newest file. At the
// end of the run this name becomes a file of its own, unless the last step has
// a numbered file. So users can always load this name, even if the run was
// killed. Saving keeps the existing files until the new one is complete: first
// the new file appears, then the link moves, then the oldest file is removed.
// Files that this run has not written are not touched, unless a new file has
// the same name.

#ifndef RUNTIME_CHECKPOINT_SERIES_H_
#define RUNTIME_CHECKPOINT_SERIES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace sbp::checkpoint {

/// The names of a run's checkpoint files, and which of them exist.
class Series {
 public:
  /// Creates a series with the name `path`. A numbered file is written after
  /// every `every` steps; if `every` is 0, there are none. The newest `keep` of
  /// these files are kept; if `keep` is 0, all are.
  Series(std::string path, int64_t every, int64_t keep);

  /// The name of the newest file, without a number.
  const std::string& path() const { return newestPath; }

  /// Whether a numbered file is due after `step`, counted from 1.
  bool isDue(int64_t step) const { return every > 0 && step % every == 0; }

  /// Returns the path of the numbered file of `step`.
  std::string pathOf(int64_t step) const;

  /// Fails if the files of a run of steps `firstStep` + 1 to `lastStep`, at
  /// least one step, cannot be written, or if the disk has too little space for
  /// those that exist at the same time, with `bytes` bytes each. Also removes
  /// temporary files of runs that were killed while they saved.
  absl::Status check(int64_t firstStep, int64_t lastStep, int64_t bytes) const;

  /// Records that the numbered file of `step` has been written: makes path() a
  /// link to it, and removes the oldest numbered file of this run if there are
  /// more than `keep`. Fails if a file system call fails.
  absl::Status noteWritten(int64_t step);

 private:
  /// Whether `name` is a name of this series, with a number or without one.
  bool isMember(std::string_view name) const;

  std::string newestPath;
  std::string stem, extension;  // "gpt", ".safetensors"
  std::string folder;
  int64_t every;
  int64_t keep;
  std::deque<int64_t> written;  // steps with a file, oldest first
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_SERIES_H_
