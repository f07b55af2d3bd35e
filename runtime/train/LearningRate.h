// The learning rate of each step: a warm-up, then a schedule.
//
//   peak      ____
//            /    \____          constant: stays at the peak
//           /          \___      linear, cosine: fall to the minimum,
//   0      /               \__   which the last step reaches
//          warm-up

#ifndef RUNTIME_TRAIN_LEARNINGRATE_H_
#define RUNTIME_TRAIN_LEARNINGRATE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace sbp::train {

/// The learning rate as a function of the step.
struct LearningRate {
  enum class Schedule { kConstant, kLinear, kCosine };

  Schedule schedule = Schedule::kConstant;
  double peak = 1e-3;
  double minimum = 0;
  int64_t warmupSteps = 0;
  int64_t numSteps = 1;  // length of the whole run

  /// Returns the rate of step `step`, counted from 0. The last step of the
  /// warm-up is the first with the peak.
  double at(int64_t step) const;
};

/// Converts a schedule to its name, "constant", "linear" or "cosine", and back;
/// nullopt for any other text.
std::string_view toString(LearningRate::Schedule schedule);
std::optional<LearningRate::Schedule> parseSchedule(std::string_view text);

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_LEARNINGRATE_H_
