#include "passes/search/problem/Problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::search {

int64_t Problem::addVariable(std::string name, int64_t numStates) {
  assert(numStates > 0 && "a variable has a state");
  variables_.push_back({std::move(name), numStates});
  tablesOf_.emplace_back();
  return numVariables() - 1;
}

void Problem::addCosts(std::vector<int64_t> variables,
                       std::vector<Cost> costs) {
  int64_t combinations = 1;
  for (int64_t variable : variables) {
    combinations *= numStates(variable);
    tablesOf_[variable].push_back(tables_.size());
  }
  assert(static_cast<int64_t>(costs.size()) == combinations &&
         "a table prices all combinations");
  (void)combinations;
  tables_.push_back({std::move(variables), std::move(costs)});
}

void Problem::forbidAbove(Cost ceiling) {
  if (ceiling == kInfiniteCost) return;
  // An assignment costs at least the sum of the least costs of all tables.
  auto leastOf = [](const Table& table) {
    return *std::min_element(table.costs.begin(), table.costs.end());
  };
  Cost least = 0;
  for (const Table& table : tables_) least += leastOf(table);
  if (least == kInfiniteCost) return;
  // Sums are not exact yet: costs are not rounded to ticks.
  constexpr double kRounding = 1e-9;
  const Cost room = ceiling - least + kRounding * std::abs(ceiling);
  for (Table& table : tables_) {
    const Cost most = leastOf(table) + room;
    for (Cost& cost : table.costs)
      if (cost > most) cost = kInfiniteCost;
  }
}

Cost Problem::roundToTicks() {
  Cost largestSum = 0;
  for (const Table& table : tables_) {
    Cost largest = 0;
    for (Cost cost : table.costs)
      if (std::isfinite(cost)) largest = std::max(largest, std::abs(cost));
    largestSum += largest;
  }
  if (largestSum == 0) return 0;
  // The mantissa of a double has 53 bits; rounding may carry into one more.
  int exponent = 0;
  std::frexp(largestSum, &exponent);
  const Cost tick = std::ldexp(1.0, exponent - 51);
  for (Table& table : tables_)
    for (Cost& cost : table.costs)
      if (std::isfinite(cost)) cost = std::round(cost / tick) * tick;
  return tick / 2 * static_cast<Cost>(tables_.size());
}

Cost Problem::entry(const Table& table, const Assignment& assignment,
                    int64_t variable, State state) const {
  int64_t index = 0;
  for (int64_t v : table.variables)
    index = index * numStates(v) + (v == variable ? state : assignment[v]);
  return table.costs[index];
}

int64_t Problem::entryOf(size_t index, const Assignment& assignment) const {
  int64_t entry = 0;
  for (int64_t v : tables_[index].variables)
    entry = entry * numStates(v) + assignment[v];
  return entry;
}

Cost Problem::cost(const Assignment& assignment) const {
  Cost cost = 0;
  for (size_t i = 0; i < tables_.size(); ++i)
    cost += tables_[i].costs[entryOf(i, assignment)];
  return cost;
}

absl::Status Problem::check() const {
  for (size_t i = 0; i < tables_.size(); ++i) {
    std::set<int64_t> scope;
    for (int64_t variable : tables_[i].variables)
      if (!scope.insert(variable).second)
        return error("table {} names variable {} ('{}') twice", i, variable,
                     variables_[variable].name);
    for (size_t entry = 0; entry < tables_[i].costs.size(); ++entry)
      if (const Cost cost = tables_[i].costs[entry];
          std::isnan(cost) || cost == -kInfiniteCost)
        return error("entry {} of table {} costs {}", entry, i, cost);
  }
  return absl::OkStatus();
}

absl::StatusOr<Cost> Problem::verify(const Assignment& assignment) const {
  if (static_cast<int64_t>(assignment.size()) != numVariables())
    return error("{} states for {} variables", assignment.size(),
                 numVariables());
  for (int64_t v = 0; v < numVariables(); ++v)
    if (assignment[v] < 0 || assignment[v] >= numStates(v))
      return error("variable {} ('{}') has {} states, and no state {}", v,
                   variables_[v].name, numStates(v), assignment[v]);
  const Cost sum = cost(assignment);
  for (size_t i = 0; i < tables_.size() && sum == kInfiniteCost; ++i)
    if (tables_[i].costs[entryOf(i, assignment)] == kInfiniteCost)
      return error("table {} forbids the assignment", i);
  return sum;
}

Cost Problem::costAround(const Assignment& assignment, int64_t variable,
                         State state) const {
  Cost cost = 0;
  for (int64_t index : tablesOf_[variable])
    cost += entry(tables_[index], assignment, variable, state);
  return cost;
}

}  // namespace sbp::search
