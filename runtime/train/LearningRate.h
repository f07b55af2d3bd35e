// The learning rate of each step: a warm-up, then a schedule.
//
//   peak           ____
//                 /    \____      constant: stays at the peak
//                /          \__   linear, cosine: falls to the minimum,
//   minimum     /                 reached at the last step
//              /
//              warm-up: step 0 has peak / warmupSteps

#ifndef RUNTIME_TRAIN_LEARNINGRATE_H_
#define RUNTIME_TRAIN_LEARNINGRATE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace sbp::train {

/// The learning rate as a function of the step.
struct LearningRate {
  /// The course of the rate after the warm-up.
  enum class Schedule { kConstant, kLinear, kCosine };

  Schedule schedule = Schedule::kConstant;
  double peak = 1e-3;  // rate at the end of the warm-up
  /// Rate at the last step, for kLinear and kCosine. If warmupSteps >=
  /// numSteps - 1, no step is left for the fall: the minimum is not reached.
  double minimum = 0;
  int64_t warmupSteps = 0;  // number of steps of the warm-up
  int64_t numSteps = 1;     // number of steps of the run, the warm-up included

  /// Returns the rate of step `step`, counted from 0. Step warmupSteps - 1 is
  /// the first with the peak rate; without a warm-up, step 0 has the peak rate.
  /// A run that is shorter than its warm-up does not reach the peak.
  double at(int64_t step) const;
};

/// Returns the name of a schedule: "constant", "linear" or "cosine".
std::string_view toString(LearningRate::Schedule schedule);
/// Returns the schedule of that name; nullopt for any other text.
std::optional<LearningRate::Schedule> parseSchedule(std::string_view text);

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_LEARNINGRATE_H_
