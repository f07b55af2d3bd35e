// The settings of a training run. Each setting comes from the command line; if
// it is not given there, from the checkpoint that the run continues; otherwise
// it has its default. No option sets the step, or the position in the data, at
// which the run begins; --steps N asks for N steps from there.
//
//   ./gpt --text book.txt --steps 1000 --schedule cosine --seed 7
//         --save gpt.safetensors --save-every 100      (killed in step 437)
//   ./gpt --text book.txt --load gpt.safetensors --lr 2e-3
//
// The second run takes steps 401 to 1000 of a cosine schedule over 1000 steps,
// reads samples in the order that seed 7 gives, and prints a note that its
// learning rate differs from that of the first run.
//
// A checkpoint may lack some of these settings
// (runtime/checkpoint/RunRecord.h).

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

/// The settings of a training run.
struct TrainingSettings {
  int64_t firstStep = 0;  // number of steps done before this run
  int64_t lastStep = 0;   // number of steps done at the end of this run
  /// Position in the data where this run begins, in samples; nullopt if no
  /// checkpoint gives the position. In this case step s, counted from 0, begins
  /// at position s times the number of samples in a batch.
  std::optional<int64_t> firstSample;
  uint64_t seed = 0;
  train::LearningRate learningRate;
  // Notes for people: about differences from the checkpoint, and about a
  // warm-up that is longer than the run.
  std::vector<std::string> notes;
};

/// Returns the settings of a run that trains with `entry` and continues the
/// checkpoint `loaded`, or continues none if `loaded` is null. Fails if
///
/// - the checkpoint's run has no steps left and --steps is not given;
/// - the minimum of the learning rate is above its peak;
/// - the checkpoint's run had an optimiser of another kind, or the checkpoint
///   has optimiser state that this program lacks, and --load-anyway does not
///   accept that.
absl::StatusOr<TrainingSettings> trainingSettings(
    const Options& options, const plan::Plan& plan, const plan::Entry& entry,
    const checkpoint::Checkpoint* loaded);

/// Fails if an input has other data in this run than it had in the run that
/// wrote `loaded`. Call it only if --load-anyway does not accept other data. An
/// input is compared only if fingerprints of its data are known for both runs.
/// `data` are the fingerprints of this run's data, and `files` its files, by
/// input.
absl::Status checkSameData(const checkpoint::Checkpoint& loaded,
                           const std::map<std::string, std::string>& data,
                           const std::map<std::string, data::InputFile>& files);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRAININGSETTINGS_H_
