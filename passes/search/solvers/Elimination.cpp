#include "passes/search/solvers/Elimination.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sbp::search {
namespace {

/// Costs of some variables together.
struct Factor {
  std::vector<int64_t> scope;  // variables, ascending
  std::vector<Cost> costs;     // row-major over the scope
};

/// What was kept of an eliminated variable: its best state for every choice of
/// the variables in `scope`.
struct Answer {
  int64_t variable;
  std::vector<int64_t> scope;
  std::vector<State> best;  // row-major over the scope
};

class Eliminator {
 public:
  Eliminator(const Problem& problem, double maxEntries)
      : problem_(problem), maxEntries_(maxEntries) {
    for (int64_t v = 0; v < problem.numVariables(); ++v) {
      factors_.push_back({{v}, problem.variables()[v].costs});
      neighbours_.emplace_back();
    }
    for (const Edge& edge : problem.edges()) addEdge(edge);
  }

  std::optional<Solution> run() {
    std::set<int64_t> left;
    for (int64_t v = 0; v < problem_.numVariables(); ++v) left.insert(v);
    while (!left.empty()) {
      int64_t next = *std::min_element(
          left.begin(), left.end(), [&](int64_t a, int64_t b) {
            return tableEntries(a) < tableEntries(b);
          });
      if (tableEntries(next) > maxEntries_) return std::nullopt;
      eliminate(next);
      left.erase(next);
    }

    Solution solution;
    solution.cost = solution.lowerBound = constant_;
    solution.assignment.resize(problem_.numVariables());
    for (auto answer = answers_.rbegin(); answer != answers_.rend(); ++answer) {
      int64_t index = 0;
      for (int64_t v : answer->scope)
        index = index * problem_.numStates(v) + solution.assignment[v];
      solution.assignment[answer->variable] = answer->best[index];
    }
    return solution;
  }

 private:
  void addEdge(const Edge& edge) {
    neighbours_[edge.first].insert(edge.second);
    neighbours_[edge.second].insert(edge.first);
    Factor factor{{edge.first, edge.second}, {}};
    bool isTurned = edge.first > edge.second;
    if (isTurned) std::swap(factor.scope[0], factor.scope[1]);
    for (State i = 0; i < problem_.numStates(factor.scope[0]); ++i)
      for (State j = 0; j < problem_.numStates(factor.scope[1]); ++j)
        factor.costs.push_back(isTurned ? edge.costs.at(j, i)
                                        : edge.costs.at(i, j));
    factors_.push_back(std::move(factor));
  }

  /// How many costs are looked at to eliminate `variable` now.
  double tableEntries(int64_t variable) const {
    auto entries = static_cast<double>(problem_.numStates(variable));
    for (int64_t neighbour : neighbours_[variable])
      entries *= static_cast<double>(problem_.numStates(neighbour));
    return entries;
  }

  /// How far a step of each of `scope`'s variables, and of `variable`, moves in
  /// the costs of a factor; zero for variables that it does not know.
  struct Walk {
    const Cost* costs;
    std::vector<int64_t> strides;  // per variable of the scope
    int64_t variableStride = 0;
  };

  Walk walkOf(const Factor& factor, const std::vector<int64_t>& scope,
              int64_t variable) const {
    Walk walk{factor.costs.data(), std::vector<int64_t>(scope.size(), 0), 0};
    int64_t stride = 1;
    for (int64_t i = factor.scope.size(); i-- > 0;) {
      int64_t v = factor.scope[i];
      if (v == variable)
        walk.variableStride = stride;
      else
        walk.strides[std::lower_bound(scope.begin(), scope.end(), v) -
                     scope.begin()] = stride;
      stride *= problem_.numStates(v);
    }
    return walk;
  }

  void eliminate(int64_t variable) {
    std::vector<Factor> taken;
    std::vector<Factor> kept;
    for (Factor& factor : factors_)
      (std::count(factor.scope.begin(), factor.scope.end(), variable) ? taken
                                                                      : kept)
          .push_back(std::move(factor));
    factors_ = std::move(kept);

    std::vector<int64_t> scope(neighbours_[variable].begin(),
                               neighbours_[variable].end());
    std::vector<Walk> walks;
    for (const Factor& factor : taken)
      walks.push_back(walkOf(factor, scope, variable));

    Factor result{scope, {}};
    Answer answer{variable, scope, {}};
    std::vector<State> choice(scope.size(), 0);
    std::vector<Cost> sums(problem_.numStates(variable));
    do {
      std::fill(sums.begin(), sums.end(), 0);
      for (const Walk& walk : walks)
        for (size_t state = 0; state < sums.size(); ++state)
          sums[state] += walk.costs[state * walk.variableStride];
      auto least = std::min_element(sums.begin(), sums.end());
      result.costs.push_back(*least);
      answer.best.push_back(least - sums.begin());
    } while (advance(choice, scope, walks));

    answers_.push_back(std::move(answer));
    if (scope.empty())
      constant_ += result.costs.front();
    else
      factors_.push_back(std::move(result));
    for (int64_t neighbour : scope) {
      neighbours_[neighbour].erase(variable);
      for (int64_t other : scope)
        if (other != neighbour) neighbours_[neighbour].insert(other);
    }
  }

  /// Steps to the next choice, the last variable fastest; false after the last.
  bool advance(std::vector<State>& choice, const std::vector<int64_t>& scope,
               std::vector<Walk>& walks) const {
    for (size_t i = scope.size(); i-- > 0;) {
      if (++choice[i] < problem_.numStates(scope[i])) {
        for (Walk& walk : walks) walk.costs += walk.strides[i];
        return true;
      }
      for (Walk& walk : walks) walk.costs -= walk.strides[i] * (choice[i] - 1);
      choice[i] = 0;
    }
    return false;
  }

  const Problem& problem_;
  double maxEntries_;
  std::vector<Factor> factors_;
  std::vector<std::set<int64_t>> neighbours_;
  std::vector<Answer> answers_;
  Cost constant_ = 0;
};

}  // namespace

std::optional<Solution> solveByElimination(const Problem& problem,
                                           double maxEntries) {
  return Eliminator(problem, maxEntries).run();
}

}  // namespace sbp::search
