#include "passes/search/problem/Resources.h"

#include <cmath>
#include <utility>

namespace sbp::search {

Problem withPrices(const Problem& problem,
                   const std::vector<Resource>& resources,
                   const std::vector<double>& prices, Costs costs) {
  Problem priced;
  for (const Variable& variable : problem.variables())
    priced.addVariable(variable.name, variable.numStates);
  for (size_t i = 0; i < problem.tables().size(); ++i) {
    Table table = problem.tables()[i];
    if (costs == Costs::LeftOut)
      for (Cost& cost : table.costs)
        if (std::isfinite(cost)) cost = 0;
    for (size_t r = 0; r < resources.size(); ++r) {
      const std::vector<double>& uses = resources[r].uses[i];
      double price = prices[r] / resources[r].limit;
      if (uses.empty() || price == 0) continue;
      for (size_t entry = 0; entry < uses.size(); ++entry)
        table.costs[entry] += price * uses[entry];
    }
    priced.addCosts(std::move(table.variables), std::move(table.costs));
  }
  priced.roundToTicks();
  return priced;
}

}  // namespace sbp::search
