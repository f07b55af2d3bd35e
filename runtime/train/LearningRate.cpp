#include "runtime/train/LearningRate.h"

#include <algorithm>

#include "runtime/math/Elementary.h"
#include "runtime/plan/Words.h"

namespace sbp::train {
namespace {

constexpr plan::Word<LearningRate::Schedule> kSchedules[] = {
    {LearningRate::Schedule::kConstant, "constant"},
    {LearningRate::Schedule::kLinear, "linear"},
    {LearningRate::Schedule::kCosine, "cosine"}};

}  // namespace

double LearningRate::at(int64_t step) const {
  if (step < warmupSteps) return peak * double(step + 1) / double(warmupSteps);
  const int64_t fallSteps = std::max<int64_t>(numSteps - 1 - warmupSteps, 1);
  const double fallen =
      std::min(double(step - warmupSteps) / double(fallSteps), 1.0);
  switch (schedule) {
    case Schedule::kConstant:
      return peak;
    case Schedule::kLinear:
      return peak + (minimum - peak) * fallen;
    case Schedule::kCosine:
      return minimum +
             (peak - minimum) * (1 + math::cosineOfTurns(fallen / 2)) / 2;
  }
  return peak;
}

std::string_view toString(LearningRate::Schedule schedule) {
  return plan::textOf(kSchedules, schedule);
}

std::optional<LearningRate::Schedule> parseSchedule(std::string_view text) {
  return plan::valueOf(kSchedules, text);
}

}  // namespace sbp::train
