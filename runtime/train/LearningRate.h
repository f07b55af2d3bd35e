// The learning rate of each step: a warm-up, then a schedule.
//
//   peak      ____
//            /    \____          constant: stays at the peak
//           /          \___      linear, cosine: fall to the minimum, at the
//   0      /               \__   last step
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
  double peak = 1e-3;  // rate at the end of the warm-up
  /// Rate of the last step for kLinear and kCosine, if it is after the first
  /// step that follows the warm-up: warmupSteps < numSteps - 1.
  double minimum = 0;
  int64_t warmupSteps = 0;  // number of steps in which the rate rises
  int64_t numSteps = 1;     // number of steps of the whole run

  /// Returns the rate of step `step`, counted from 0. The last step of the
  /// warm-up is the first step with the peak rate; a run that is shorter than
  /// its warm-up does not reach the peak.
  double at(int64_t step) const;
};

/// Returns the name of a schedule: "constant", "linear" or "cosine".
std::string_view toString(LearningRate::Schedule schedule);
/// Returns the schedule of that name; nullopt for any other text.
std::optional<LearningRate::Schedule> parseSchedule(std::string_view text);

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_LEARNINGRATE_H_
