#include "passes/search/pipeline/StageCost.h"

namespace sbp::search {

std::vector<StageCost> stageCosts(const JointProblem& problem,
                                  const JointPlan& plan) {
  const JointCase& ofCase = problem.cases[plan.chosenCase];
  const auto optionOf = [&](int64_t unit) -> const UnitOption& {
    return problem.optionsOf(ofCase, unit)[plan.options[unit]];
  };
  std::vector<StageCost> costs(plan.ends.size());
  for (size_t stage = 0; stage < costs.size(); ++stage) {
    const int64_t begin = plan.begin(static_cast<int64_t>(stage));
    for (int64_t unit = begin; unit < plan.ends[stage]; ++unit) {
      const UnitOption& option = optionOf(unit);
      costs[stage].add(option);
      if (unit == 0) continue;
      const int64_t before = optionOf(unit - 1).layout;
      if (unit > begin) {
        costs[stage].addBothWays(ofCase.move[before][option.layout]);
        continue;
      }
      const CutTime& time = ofCase.cut[before][option.layout];
      costs[stage].addBothWays(time.busy);
      costs[stage - 1].addBothWays(time.busy);
      costs[stage - 1].delay = time.delay;
    }
  }
  return costs;
}

}  // namespace sbp::search
