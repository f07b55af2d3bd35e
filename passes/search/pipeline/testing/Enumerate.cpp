#include "passes/search/pipeline/testing/Enumerate.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/StageCost.h"

namespace sbp::search {
namespace {

/// Sets `ends` to the next cut of `numUnits` units. Returns false after the
/// last one.
bool nextCut(std::vector<int64_t>& ends, int64_t numUnits) {
  const auto numStages = static_cast<int64_t>(ends.size());
  for (int64_t stage = numStages - 1; stage-- > 0;) {
    if (ends[stage] >= numUnits - (numStages - 1 - stage)) continue;
    ++ends[stage];
    for (int64_t later = stage + 1; later < numStages - 1; ++later)
      ends[later] = ends[later - 1] + 1;
    return true;
  }
  return false;
}

/// Sets `options` to the next choice. Returns false after the last one.
bool nextOptions(const JointProblem& problem, const JointCase& ofCase,
                 std::vector<int64_t>& options) {
  for (size_t unit = 0; unit < options.size(); ++unit) {
    const auto number = static_cast<int64_t>(
        problem.optionsOf(ofCase, static_cast<int64_t>(unit)).size());
    if (++options[unit] < number) return true;
    options[unit] = 0;
  }
  return false;
}

double leastSeconds(const JointProblem& problem, JointPlan& plan,
                    const FamilyTable& table) {
  const JointCase& ofCase = problem.cases[plan.chosenCase];
  double least = std::numeric_limits<double>::infinity();
  plan.ends.resize(table.numStages());
  std::iota(plan.ends.begin(), plan.ends.end(), 1);
  plan.ends.back() = problem.numUnits();
  do {
    plan.options.assign(problem.numUnits(), 0);
    do {
      const std::vector<StageCost> costs = stageCosts(problem, plan);
      const std::vector<double> bytes = table.bytesOf(costs);
      if (*std::max_element(bytes.begin(), bytes.end()) <= problem.memory)
        least = std::min(least, table.secondsOf(costs));
    } while (nextOptions(problem, ofCase, plan.options));
  } while (nextCut(plan.ends, problem.numUnits()));
  return least;
}

}  // namespace

double leastSecondsOfAll(const JointProblem& problem) {
  double least = std::numeric_limits<double>::infinity();
  JointPlan plan;
  for (size_t i = 0; i < problem.cases.size(); ++i)
    for (size_t family = 0; family < problem.families.size(); ++family) {
      plan.chosenCase = static_cast<int64_t>(i);
      plan.family = static_cast<int64_t>(family);
      if (problem.cases[i].numStages() > problem.numUnits()) continue;
      auto table =
          FamilyTable::make(problem.families[family], problem.cases[i]);
      if (table.ok())
        least = std::min(least, leastSeconds(problem, plan, **table));
    }
  return least;
}

}  // namespace sbp::search
