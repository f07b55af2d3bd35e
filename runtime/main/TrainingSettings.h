// The settings of a training run. Each comes from the command line, else from
// the checkpoint that the run continues, else it is the default. The step and
// the position in the data at which the run begins have no option; --steps N
// asks for N steps from there.
//
//   ./gpt --text book.txt --steps 1000 --schedule cosine --seed 7
//         --save gpt.safetensors --save-every 100      (killed in step 437)
//   ./gpt --text book.txt --load gpt.safetensors --lr 2e-3
//
// The second run takes steps 401 to 1000 of the cosine over 1000 steps, in the
// order of samples of seed 7, and notes that its learning rate differs.
//
// A checkpoint need not have these settings: runtime/checkpoint/RunRecord.h
// says which it may lack.

#ifndef RUNTIME_MAIN_TRAININGSETTINGS_H_
#define RUNTIME_MAIN_TRAININGSETTINGS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"
#include "runtime/train/LearningRate.h"

namespace sbp::program {

/// The settings of a training run; see above.
struct TrainingSettings {
  int64_t firstStep = 0;  // number of steps done before this run
  int64_t lastStep = 0;   // number of steps done at the end of this run
  /// Position in the data where this run begins, in samples; nullopt if no
  /// checkpoint gives it. Then step s, counted from 0, begins at position s
  /// times the size of a batch.
  std::optional<int64_t> firstSample;
  uint64_t seed = 0;
  train::LearningRate learningRate;
  // Notes for people: differences to the checkpoint, a warm-up that is longer
  // than the run.
  std::vector<std::string> notes;
};

/// Returns the settings of a run that trains with `entry` and continues the
/// checkpoint `loaded`; null: it continues none. Fails if
///
/// - the checkpoint's run has no steps left and --steps is not given;
/// - the minimum of the learning rate is above its peak;
/// - the checkpoint's run had an optimiser of another kind, or has state of it
///   that this program lacks, and --load-anyway does not accept that.
absl::StatusOr<TrainingSettings> trainingSettings(
    const Options& options, const plan::Plan& plan, const plan::Entry& entry,
    const checkpoint::Checkpoint* loaded);

/// Fails if an input has other data than in the run that wrote `loaded`. The
/// caller asks only if --load-anyway does not accept other data. An input for
/// which one of the two runs records no data is not compared. `data` are the
/// fingerprints of this run's data, and `files` its files, by input.
absl::Status checkSameData(const checkpoint::Checkpoint& loaded,
                           const std::map<std::string, std::string>& data,
                           const std::map<std::string, data::InputFile>& files);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRAININGSETTINGS_H_
