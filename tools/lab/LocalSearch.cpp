#include "tools/lab/LocalSearch.h"

#include <cmath>
#include <random>
#include <utility>

namespace sbp::search::lab {
namespace {

/// State of a running search: the evaluations left, and the best assignment so
/// far.
class Search {
 public:
  Search(const Problem& problem, Budget budget)
      : problem_(problem), left_(budget.evaluations), random_(budget.seed) {}

  bool isOver() const { return left_ <= 0; }
  const Solution& best() const { return solution_.best; }
  HeuristicSolution finish() && { return std::move(solution_); }

  /// Returns a random integer in [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound));
  }
  /// Returns a random number in [0, 1).
  double fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  Assignment randomAssignment() {
    Assignment assignment;
    for (int64_t v = 0; v < problem_.numVariables(); ++v)
      assignment.push_back(static_cast<State>(below(problem_.numStates(v))));
    return assignment;
  }

  /// Returns the cost of `assignment`, which is `cost`, after `variable` gets
  /// `state`.
  Cost costWith(const Assignment& assignment, Cost cost, int64_t variable,
                State state) const {
    // Differences from an infinite cost have no meaning.
    if (!std::isfinite(cost)) {
      Assignment changed = assignment;
      changed[variable] = state;
      return problem_.cost(changed);
    }
    return cost -
           problem_.costAround(assignment, variable, assignment[variable]) +
           problem_.costAround(assignment, variable, state);
  }

  /// Counts one evaluation, of an assignment that costs `cost`.
  void evaluated(const Assignment& assignment, Cost cost) {
    --left_;
    ++spent_;
    if (!(cost < solution_.best.cost)) return;
    solution_.best.cost = cost;
    solution_.best.assignment = assignment;
    solution_.improvements.push_back({spent_, cost});
  }

 private:
  const Problem& problem_;
  int64_t left_;
  int64_t spent_ = 0;
  std::mt19937_64 random_;
  HeuristicSolution solution_;
};

/// Sets `variable` to its best state while the others keep theirs; stops trying
/// when the budget is spent. Returns whether `variable` changed.
bool descend(const Problem& problem, Search& search, Assignment& assignment,
             Cost& cost, int64_t variable) {
  const State before = assignment[variable];
  const Cost costBefore = cost;
  State best = before;
  for (State state = 0; state < problem.numStates(variable); ++state) {
    if (state == before || search.isOver()) continue;
    assignment[variable] = before;
    Cost changed = search.costWith(assignment, costBefore, variable, state);
    assignment[variable] = state;
    search.evaluated(assignment, changed);
    if (!(changed < cost)) continue;
    cost = changed;
    best = state;
  }
  assignment[variable] = best;
  return best != before;
}

}  // namespace

HeuristicSolution searchRandomly(const Problem& problem, Budget budget) {
  Search search(problem, budget);
  while (!search.isOver()) {
    Assignment assignment = search.randomAssignment();
    search.evaluated(assignment, problem.cost(assignment));
  }
  return std::move(search).finish();
}

HeuristicSolution searchByMetropolisHastings(const Problem& problem,
                                             Budget budget,
                                             double relativeTemperature) {
  Search search(problem, budget);
  if (search.isOver()) return std::move(search).finish();
  Assignment assignment = search.randomAssignment();
  Cost cost = problem.cost(assignment);
  search.evaluated(assignment, cost);
  while (!search.isOver()) {
    int64_t variable = search.below(problem.numVariables());
    State before = assignment[variable];
    auto after = static_cast<State>(search.below(problem.numStates(variable)));
    Cost changed = search.costWith(assignment, cost, variable, after);
    assignment[variable] = after;
    search.evaluated(assignment, changed);
    double temperature = relativeTemperature * search.best().cost;
    bool isAccepted =
        changed <= cost ||
        search.fraction() < std::exp((cost - changed) / temperature);
    if (isAccepted)
      cost = changed;
    else
      assignment[variable] = before;
  }
  return std::move(search).finish();
}

HeuristicSolution searchByCoordinateDescent(const Problem& problem,
                                            Budget budget) {
  Search search(problem, budget);
  while (!search.isOver()) {
    Assignment assignment = search.randomAssignment();
    Cost cost = problem.cost(assignment);
    search.evaluated(assignment, cost);
    bool hasChanged = true;
    while (hasChanged && !search.isOver()) {
      hasChanged = false;
      for (int64_t v = 0; v < problem.numVariables(); ++v)
        hasChanged |= descend(problem, search, assignment, cost, v);
    }
  }
  return std::move(search).finish();
}

}  // namespace sbp::search::lab
