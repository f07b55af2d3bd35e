#include "tools/lab/vtrain/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <utility>

namespace sbp::vtrain {
namespace {

/// Number of rounds of the pattern search, and of random steps in a round. More
/// find slightly better numbers.
constexpr int64_t kRounds = 60, kRandomSteps = 10;
/// First step of the logarithm of a number, and the factors by which a step
/// grows if it helps, and shrinks if not.
constexpr double kFirstStep = 0.3, kGrowth = 1.3, kShrinkage = 0.6;

double meanError(const std::vector<MeasuredRun>& runs,
                 const MachineNumbers& numbers, const AllReduces& allReduces) {
  double sum = 0;
  for (const MeasuredRun& run : runs)
    sum +=
        std::abs(estimatedSeconds(run, numbers, allReduces) / run.seconds - 1);
  return sum / static_cast<double>(runs.size());
}

MachineNumbers scaled(MachineNumbers numbers,
                      const std::array<double, MachineNumbers::kNumber>& by) {
  const auto all = numbers.all();
  for (size_t i = 0; i < all.size(); ++i) *all[i] *= std::exp(by[i]);
  return numbers;
}

}  // namespace

MachineNumbers fitNumbers(const std::vector<MeasuredRun>& runs,
                          const AllReduces& allReduces) {
  constexpr size_t kNumber = MachineNumbers::kNumber;
  MachineNumbers best;
  double least = meanError(runs, best, allReduces);
  auto accept = [&](const std::array<double, kNumber>& by) {
    const MachineNumbers next = scaled(best, by);
    const double error = meanError(runs, next, allReduces);
    if (error >= least) return false;
    least = error;
    best = next;
    return true;
  };
  std::array<double, kNumber> steps;
  steps.fill(kFirstStep);
  std::mt19937 random(1);
  for (int64_t round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < kNumber; ++i) {
      std::array<double, kNumber> by = {};
      by[i] = steps[i];
      if (!accept(by)) {
        by[i] = -steps[i];
        steps[i] *= accept(by) ? 1 : kShrinkage;
      } else {
        steps[i] *= kGrowth;
      }
    }
    for (int64_t step = 0; step < kRandomSteps; ++step) {
      std::array<double, kNumber> by;
      for (size_t i = 0; i < kNumber; ++i)
        by[i] = steps[i] * (static_cast<double>(random() % 2001) - 1000) / 700;
      accept(by);
    }
  }
  return best;
}

Errors errorsOf(const std::vector<MeasuredRun>& runs,
                const MachineNumbers& numbers, const AllReduces& allReduces) {
  std::vector<double> errors;
  double sum = 0;
  for (const MeasuredRun& run : runs) {
    errors.push_back(
        std::abs(simulatedSeconds(run, numbers, allReduces) / run.seconds - 1));
    sum += errors.back();
  }
  std::sort(errors.begin(), errors.end());
  const size_t number = errors.size();
  return {sum / static_cast<double>(number), errors[number / 2],
          errors[number * 9 / 10]};
}

Choices choicesOf(const std::vector<MeasuredRun>& runs,
                  const MachineNumbers& numbers, const AllReduces& allReduces) {
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>,
           std::vector<std::pair<double, double>>>
      groups;  // predicted and measured seconds
  for (const MeasuredRun& run : runs)
    groups[{run.hidden, run.layers, run.gpus, run.batch}].emplace_back(
        simulatedSeconds(run, numbers, allReduces), run.seconds);
  Choices choices;
  for (auto& [key, times] : groups) {
    if (times.size() < 2) continue;
    std::sort(times.begin(), times.end());
    double fastest = std::numeric_limits<double>::infinity();
    for (const auto& [predicted, measured] : times)
      fastest = std::min(fastest, measured);
    ++choices.groups;
    choices.loss += times.front().second / fastest - 1;
    for (size_t i = 0; i < std::min<size_t>(3, times.size()); ++i)
      choices.amongThree += times[i].second == fastest ? 1 : 0;
  }
  if (choices.groups > 0) {
    choices.loss /= static_cast<double>(choices.groups);
    choices.amongThree /= static_cast<double>(choices.groups);
  }
  return choices;
}

std::vector<Fold> crossValidate(const std::vector<MeasuredRun>& runs,
                                int64_t number, const AllReduces& allReduces) {
  std::vector<Fold> folds;
  for (int64_t fold = 0; fold < number; ++fold) {
    std::vector<MeasuredRun> fitted, others;
    for (size_t i = 0; i < runs.size(); ++i)
      (static_cast<int64_t>(i) % number == fold ? fitted : others)
          .push_back(runs[i]);
    Fold& found = folds.emplace_back();
    found.numbers = fitNumbers(fitted, allReduces);
    found.fitted = errorsOf(fitted, found.numbers, allReduces);
    found.others = errorsOf(others, found.numbers, allReduces);
    found.choices = choicesOf(runs, found.numbers, allReduces);
  }
  return folds;
}

}  // namespace sbp::vtrain
