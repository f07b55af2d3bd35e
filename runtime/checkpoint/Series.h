// The files of a run that saves every so many steps, say gpt.safetensors with
// a checkpoint every 100 steps of which the newest two are kept:
//
//   step 100   gpt-000100.safetensors <- gpt.safetensors
//   step 200   gpt-000100.safetensors,
//              gpt-000200.safetensors <- gpt.safetensors
//   step 300   gpt-000200.safetensors,
//              gpt-000300.safetensors <- gpt.safetensors
//   the end    those, and gpt.safetensors
//
// So the name without a number is always that of the newest, and what to load
// after whatever has ended the run. Each step of a save leaves the files before
// it as they are until the next is whole: first the new file appears, then the
// name moves, then the oldest goes. Files that the run has not written itself
// are not touched, unless they have the name of one that it writes.

#ifndef RUNTIME_CHECKPOINT_SERIES_H_
#define RUNTIME_CHECKPOINT_SERIES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace sbp::checkpoint {

class Series {
 public:
  /// Files about `path`, every `every` steps; 0: only at the end. The newest
  /// `keep` with a number are kept; 0: all.
  Series(std::string path, int64_t every, int64_t keep);

  /// The name of the newest.
  const std::string& path() const { return newestPath; }

  /// Whether a file is due after `step`, counted from 1.
  bool isDue(int64_t step) const { return every > 0 && step % every == 0; }

  /// The file that is due after `step`.
  std::string pathOf(int64_t step) const;

  /// Looks, at the start of a run of steps `firstStep` + 1 to `lastStep`,
  /// whether files of `bytes` bytes can be written there, and as many as will
  /// be kept. Removes what runs that were killed while they saved have left.
  absl::Status check(int64_t firstStep, int64_t lastStep, int64_t bytes) const;

  /// The file of `step` has been written: it gets the name of the newest, and
  /// the oldest goes if there are more than are kept.
  absl::Status noteWritten(int64_t step);

 private:
  /// Whether this run, or another one that saves there, however often, may
  /// write a file called `name`.
  bool isMember(std::string_view name) const;

  std::string newestPath;
  std::string stem, extension;  // "gpt", ".safetensors": of the name alone
  std::string folder;
  int64_t every;
  int64_t keep;
  std::deque<int64_t> written;  // steps whose files are there, oldest first
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_SERIES_H_
