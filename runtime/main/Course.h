// How a run trains, from its first step to its last: what the command line
// says, else what the checkpoint says that it goes on from, else what is usual.
//
//   ./gpt --text book.txt --steps 1000 --schedule cosine --seed 7
//         --save gpt.safetensors --save-every 100      (killed in step 437)
//   ./gpt --text book.txt --load gpt.safetensors --lr 2e-3
//
// The second run takes steps 401 to 1000 of the cosine over 1000 steps, in the
// order of samples of seed 7. It says that the learning rate is another one.
//
// A file that does not say how it was trained begins anew, but for its step.

#ifndef RUNTIME_MAIN_COURSE_H_
#define RUNTIME_MAIN_COURSE_H_

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

struct Course {
  int64_t firstStep = 0;               // steps that the parameters have had
  int64_t lastStep = 0;                // that they will have had at the end
  std::optional<int64_t> firstSample;  // that they have read, if it is known
  uint64_t seed = 0;
  train::LearningRate learningRate;
  std::vector<std::string> notes;  // where the command line disagrees
};

/// The course of a run that trains by `entry`, from `loaded` unless that is
/// null. Fails if the loaded run has no steps left and no number is given, and
/// if it was trained by another optimiser, unless the options load that anyway.
absl::StatusOr<Course> courseOf(const Options& options, const plan::Plan& plan,
                                const plan::Entry& entry,
                                const checkpoint::Checkpoint* loaded);

/// Fails if an input is fed from other data, by its fingerprint, than in the
/// run that wrote `loaded`. `data` are the fingerprints of now, and `files`
/// what they are of, by input.
absl::Status checkSameData(const checkpoint::Checkpoint& loaded,
                           const std::map<std::string, std::string>& data,
                           const std::map<std::string, data::FedFile>& files);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_COURSE_H_
