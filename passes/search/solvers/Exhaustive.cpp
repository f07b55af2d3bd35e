#include "passes/search/solvers/Exhaustive.h"

#include <algorithm>

namespace sbp::search {
namespace {

class Enumeration {
 public:
  explicit Enumeration(const Problem& problem)
      : problem_(problem), assignment_(problem.numVariables(), 0) {
    // What each variable adds to the price of the ones before it: its own costs
    // and those of edges to them.
    for (int64_t variable = 0; variable < problem.numVariables(); ++variable) {
      std::vector<Earlier>& earlier = earlier_.emplace_back();
      for (int64_t index : problem.edgesOf(variable)) {
        const Edge& edge = problem.edges()[index];
        if (std::max(edge.first, edge.second) != variable) continue;
        earlier.push_back(turned(edge, variable));
      }
      added_.emplace_back(problem.numStates(variable));
    }
  }

  Solution run() {
    extend(0, 0);
    best_.lowerBound = best_.cost;
    return std::move(best_);
  }

 private:
  /// An edge to an earlier variable: a row of costs for each of its states.
  struct Earlier {
    int64_t variable;
    CostTable costs;
  };

  static Earlier turned(const Edge& edge, int64_t variable) {
    if (edge.second == variable) return {edge.first, edge.costs};
    CostTable costs(edge.costs.columns(), edge.costs.rows());
    for (State row = 0; row < costs.rows(); ++row)
      for (State column = 0; column < costs.columns(); ++column)
        costs.at(row, column) = edge.costs.at(column, row);
    return {edge.second, std::move(costs)};
  }

  void extend(int64_t variable, Cost costBefore) {
    if (variable == problem_.numVariables()) {
      if (costBefore >= best_.cost) return;
      best_.cost = costBefore;
      best_.assignment = assignment_;
      return;
    }
    std::vector<Cost>& added = added_[variable];
    added = problem_.variables()[variable].costs;
    for (const Earlier& edge : earlier_[variable])
      for (State state = 0; state < static_cast<State>(added.size()); ++state)
        added[state] += edge.costs.at(assignment_[edge.variable], state);
    if (variable + 1 == problem_.numVariables()) {
      auto least = std::min_element(added.begin(), added.end());
      assignment_[variable] = least - added.begin();
      return extend(variable + 1, costBefore + *least);
    }
    for (State state = 0; state < static_cast<State>(added.size()); ++state) {
      assignment_[variable] = state;
      extend(variable + 1, costBefore + added[state]);
    }
  }

  const Problem& problem_;
  std::vector<std::vector<Earlier>> earlier_;
  std::vector<std::vector<Cost>> added_;
  Assignment assignment_;
  Solution best_;
};

}  // namespace

double numAssignments(const Problem& problem) {
  double number = 1;
  for (const Variable& variable : problem.variables())
    number *= static_cast<double>(variable.costs.size());
  return number;
}

Solution solveExhaustively(const Problem& problem) {
  return Enumeration(problem).run();
}

}  // namespace sbp::search
