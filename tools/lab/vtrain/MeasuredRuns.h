// Measured training steps of Megatron-DeepSpeed, and measured all-reduces, as
// vTrain publishes them (Bang et al., MICRO 2024).
//
// A file of runs has a line of names, and a line per run:
//
//   GPUs,global batch,micro batch,hidden size,attention heads,layers,sequence
//   length,tensor,data,pipeline parallelism,iteration time (ms)
//
// A file of all-reduces has a line of names, and lines whose first value is a
// size in bytes, ascending, and whose fourth is a time in nanoseconds.

#ifndef TOOLS_LAB_VTRAIN_MEASUREDRUNS_H_
#define TOOLS_LAB_VTRAIN_MEASUREDRUNS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace sbp::vtrain {

/// A run: a GPT, its batch, the degrees of parallelism, and the measured time.
struct MeasuredRun {
  int64_t gpus = 0, batch = 0, microBatch = 0;  // batches in sequences
  int64_t hidden = 0, heads = 0, layers = 0, length = 0;
  int64_t tensor = 0, data = 0, pipeline = 0;  // their product is `gpus`
  double seconds = 0;                          // per step

  int64_t numMicroBatches() const { return batch / microBatch / data; }
};

/// Returns the runs of a file's text. Fails, with the number of the line, if a
/// value is missing or no positive number, if degrees do not multiply to the
/// GPUs, or if batch or layers cannot be divided by them.
absl::StatusOr<std::vector<MeasuredRun>> readRuns(std::string_view text);

/// Times of all-reduces among some number of GPUs.
class AllReduceTimes {
 public:
  /// Returns the times of a file's text. Fails, with the number of the line, if
  /// a value is missing or if sizes do not ascend.
  static absl::StatusOr<AllReduceTimes> read(std::string_view text);

  /// Returns the seconds for `bytes` bytes: interpolated between sizes that
  /// were measured, the least time below them, and in proportion above.
  double seconds(double bytes) const;

 private:
  std::vector<double> bytes_, seconds_;
};

/// Times of all-reduces by number of GPUs.
using AllReduces = std::map<int64_t, AllReduceTimes>;

}  // namespace sbp::vtrain

#endif  // TOOLS_LAB_VTRAIN_MEASUREDRUNS_H_
