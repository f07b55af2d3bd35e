#include "passes/search/Problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace sbp::search {

int64_t Problem::addVariable(std::string name, std::vector<Cost> costs) {
  assert(!costs.empty() && "a variable has a state");
  variables_.push_back({std::move(name), std::move(costs)});
  edgesOf_.emplace_back();
  return numVariables() - 1;
}

void Problem::addEdge(int64_t first, int64_t second, CostTable costs) {
  assert(first != second && "an edge joins two variables");
  assert(costs.rows() == numStates(first) &&
         costs.columns() == numStates(second) && "an edge prices all pairs");
  edgesOf_[first].push_back(edges_.size());
  edgesOf_[second].push_back(edges_.size());
  edges_.push_back({first, second, std::move(costs)});
}

void Problem::pin(int64_t variable, State state) {
  std::vector<Cost>& costs = variables_[variable].costs;
  for (State other = 0; other < static_cast<State>(costs.size()); ++other)
    if (other != state) costs[other] = kInfiniteCost;
}

void Problem::roundToTicks() {
  std::vector<std::vector<Cost>*> lists;
  for (Variable& variable : variables_) lists.push_back(&variable.costs);
  for (Edge& edge : edges_) lists.push_back(&edge.costs.entries());

  Cost largestSum = 0;
  for (const std::vector<Cost>* list : lists) {
    Cost largest = 0;
    for (Cost cost : *list)
      if (std::isfinite(cost)) largest = std::max(largest, std::abs(cost));
    largestSum += largest;
  }
  if (largestSum == 0) return;
  // A double holds 53 bits; rounding may carry into one more.
  int exponent = 0;
  std::frexp(largestSum, &exponent);
  const Cost tick = std::ldexp(1.0, exponent - 51);
  for (std::vector<Cost>* list : lists)
    for (Cost& cost : *list)
      if (std::isfinite(cost)) cost = std::round(cost / tick) * tick;
}

Cost Problem::cost(const Assignment& assignment) const {
  Cost cost = 0;
  for (int64_t variable = 0; variable < numVariables(); ++variable)
    cost += variables_[variable].costs[assignment[variable]];
  for (const Edge& edge : edges_)
    cost += edge.costs.at(assignment[edge.first], assignment[edge.second]);
  return cost;
}

Cost Problem::costAround(const Assignment& assignment, int64_t variable,
                         State state) const {
  Cost cost = variables_[variable].costs[state];
  for (int64_t index : edgesOf_[variable]) {
    const Edge& edge = edges_[index];
    cost += edge.first == variable
                ? edge.costs.at(state, assignment[edge.second])
                : edge.costs.at(assignment[edge.first], state);
  }
  return cost;
}

}  // namespace sbp::search
