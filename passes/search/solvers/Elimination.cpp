#include "passes/search/solvers/Elimination.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sbp::search {
namespace {

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
      : problem_(problem),
        maxEntries_(maxEntries),
        tables_(problem.tables()),
        neighbours_(problem.numVariables()) {
    for (const Table& table : tables_)
      for (int64_t variable : table.variables)
        for (int64_t other : table.variables)
          if (other != variable) neighbours_[variable].insert(other);
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
  /// How many costs are looked at to eliminate `variable` now.
  double tableEntries(int64_t variable) const {
    auto entries = static_cast<double>(problem_.numStates(variable));
    for (int64_t neighbour : neighbours_[variable])
      entries *= static_cast<double>(problem_.numStates(neighbour));
    return entries;
  }

  /// How far a step of each of `scope`'s variables, and of `variable`, moves in
  /// the costs of a table; zero for variables that it does not know.
  struct Walk {
    const Cost* costs;
    std::vector<int64_t> strides;  // per variable of the scope
    int64_t variableStride = 0;
  };

  Walk walkOf(const Table& table, const std::vector<int64_t>& scope,
              int64_t variable) const {
    Walk walk{table.costs.data(), std::vector<int64_t>(scope.size(), 0), 0};
    int64_t stride = 1;
    for (int64_t i = table.variables.size(); i-- > 0;) {
      int64_t v = table.variables[i];
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
    std::vector<Table> taken, kept;
    for (Table& table : tables_) {
      bool knowsIt = std::count(table.variables.begin(), table.variables.end(),
                                variable) > 0;
      (knowsIt ? taken : kept).push_back(std::move(table));
    }
    tables_ = std::move(kept);

    std::vector<int64_t> scope(neighbours_[variable].begin(),
                               neighbours_[variable].end());
    std::vector<Walk> walks;
    for (const Table& table : taken)
      walks.push_back(walkOf(table, scope, variable));

    Table result{scope, {}};
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
      answer.best.push_back(static_cast<State>(least - sums.begin()));
    } while (advance(choice, scope, walks));

    answers_.push_back(std::move(answer));
    if (scope.empty())
      constant_ += result.costs.front();
    else
      tables_.push_back(std::move(result));
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
  std::vector<Table> tables_;
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
