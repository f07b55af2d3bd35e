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

/// In which order to eliminate, found on the graph of neighbours alone.
class Order {
 public:
  using Neighbours = std::vector<std::set<int64_t>>;

  enum class Rule {
    LeastWork,   // next is the variable that takes the fewest additions
    LeastTable,  // the one that leaves the smallest table
  };

  Order(const Problem& problem, Neighbours neighbours, Rule rule)
      : problem_(problem), neighbours_(std::move(neighbours)), rule_(rule) {
    std::set<std::pair<double, int64_t>> left;
    std::vector<double> scores;
    for (int64_t v = 0; v < problem.numVariables(); ++v) {
      scores.push_back(scoreOf(v));
      left.insert({scores[v], v});
    }
    while (!left.empty()) {
      int64_t next = left.begin()->second;
      left.erase(left.begin());
      variables_.push_back(next);
      largestTable_ = std::max(largestTable_, tableOf(next));
      work_ += tableOf(next) * numStates(next);
      std::set<int64_t> scope = std::move(neighbours_[next]);
      for (int64_t neighbour : scope) {
        neighbours_[neighbour].erase(next);
        for (int64_t other : scope)
          if (other != neighbour) neighbours_[neighbour].insert(other);
      }
      for (int64_t neighbour : scope) {
        left.erase({scores[neighbour], neighbour});
        scores[neighbour] = scoreOf(neighbour);
        left.insert({scores[neighbour], neighbour});
      }
    }
  }

  const std::vector<int64_t>& variables() const { return variables_; }
  /// How many sums of costs are formed.
  double work() const { return work_; }
  /// The most entries of a table that is left.
  double largestTable() const { return largestTable_; }

 private:
  double numStates(int64_t variable) const {
    return static_cast<double>(problem_.numStates(variable));
  }
  double tableOf(int64_t variable) const {
    double entries = 1;
    for (int64_t neighbour : neighbours_[variable])
      entries *= numStates(neighbour);
    return entries;
  }
  double scoreOf(int64_t variable) const {
    return rule_ == Rule::LeastTable ? tableOf(variable)
                                     : tableOf(variable) * numStates(variable);
  }

  const Problem& problem_;
  Neighbours neighbours_;
  Rule rule_;
  std::vector<int64_t> variables_;
  double work_ = 0;
  double largestTable_ = 0;
};

class Eliminator {
 public:
  Eliminator(const Problem& problem, EliminationLimits limits)
      : problem_(problem),
        limits_(limits),
        tablesOf_(problem.numVariables()),
        neighbours_(problem.numVariables()) {
    for (Table table : problem.tables()) {
      // A variable without choice links nobody.
      table.variables.erase(
          std::remove_if(table.variables.begin(), table.variables.end(),
                         [&](int64_t v) { return problem.numStates(v) == 1; }),
          table.variables.end());
      for (int64_t variable : table.variables)
        for (int64_t other : table.variables)
          if (other != variable) neighbours_[variable].insert(other);
      keep(std::move(table));
    }
  }

  std::optional<Solution> run() {
    Order byWork(problem_, neighbours_, Order::Rule::LeastWork);
    Order byTable(problem_, neighbours_, Order::Rule::LeastTable);
    const Order& order = byTable.work() < byWork.work() ? byTable : byWork;
    if (order.largestTable() > limits_.tableEntries ||
        order.work() > limits_.work)
      return std::nullopt;
    for (int64_t variable : order.variables()) eliminate(variable);

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
  /// The costs of a table on a walk through all choices of a scope: those of
  /// the variable that is eliminated lie side by side.
  struct Walk {
    std::vector<Cost> costs;
    size_t position = 0;
    // How far a step of each variable of the scope moves; zero for those that
    // the table does not know.
    std::vector<size_t> strides;
  };

  Walk walkOf(const Table& table, const std::vector<int64_t>& scope,
              int64_t variable) const {
    Walk walk;
    walk.strides.assign(scope.size(), 0);
    size_t numStates = problem_.numStates(variable);
    // Where the costs of a choice begin, and how they lie in the table.
    size_t inner = 1, outer = 1;
    bool isInside = false;  // of the variable, from the table's end
    size_t stride = numStates;
    for (size_t i = table.variables.size(); i-- > 0;) {
      int64_t v = table.variables[i];
      size_t size = problem_.numStates(v);
      if (v == variable) {
        isInside = true;
        continue;
      }
      (isInside ? outer : inner) *= size;
      walk.strides[std::lower_bound(scope.begin(), scope.end(), v) -
                   scope.begin()] = stride;
      stride *= size;
    }
    walk.costs.resize(table.costs.size());
    for (size_t o = 0; o < outer; ++o)
      for (size_t state = 0; state < numStates; ++state)
        for (size_t i = 0; i < inner; ++i)
          walk.costs[(o * inner + i) * numStates + state] =
              table.costs[(o * numStates + state) * inner + i];
    return walk;
  }

  void eliminate(int64_t variable) {
    std::vector<int64_t> scope(neighbours_[variable].begin(),
                               neighbours_[variable].end());
    std::vector<Walk> walks;
    size_t entries = 1;
    for (int64_t v : scope) entries *= problem_.numStates(v);
    for (size_t index : tablesOf_[variable]) {
      Table& table = tables_[index];
      if (table.variables.empty()) continue;  // taken before
      walks.push_back(walkOf(table, scope, variable));
      table = {};
    }

    Table result{scope, {}};
    Answer answer{variable, scope, {}};
    result.costs.reserve(entries);
    answer.best.reserve(entries);
    std::vector<State> choice(scope.size(), 0);
    std::vector<Cost> sums(problem_.numStates(variable));
    do {
      std::fill(sums.begin(), sums.end(), 0);
      for (const Walk& walk : walks) {
        const Cost* costs = walk.costs.data() + walk.position;
        for (size_t state = 0; state < sums.size(); ++state)
          sums[state] += costs[state];
      }
      auto least = std::min_element(sums.begin(), sums.end());
      result.costs.push_back(*least);
      answer.best.push_back(static_cast<State>(least - sums.begin()));
    } while (advance(choice, scope, walks));

    answers_.push_back(std::move(answer));
    keep(std::move(result));
    for (int64_t neighbour : scope) {
      neighbours_[neighbour].erase(variable);
      for (int64_t other : scope)
        if (other != neighbour) neighbours_[neighbour].insert(other);
    }
  }

  void keep(Table table) {
    if (table.variables.empty()) {
      constant_ += table.costs.front();
      return;
    }
    for (int64_t variable : table.variables)
      tablesOf_[variable].push_back(tables_.size());
    tables_.push_back(std::move(table));
  }

  /// Steps to the next choice, the last variable fastest; false after the last.
  bool advance(std::vector<State>& choice, const std::vector<int64_t>& scope,
               std::vector<Walk>& walks) const {
    for (size_t i = scope.size(); i-- > 0;) {
      if (++choice[i] < problem_.numStates(scope[i])) {
        for (Walk& walk : walks) walk.position += walk.strides[i];
        return true;
      }
      for (Walk& walk : walks)
        walk.position -= walk.strides[i] * (choice[i] - 1);
      choice[i] = 0;
    }
    return false;
  }

  const Problem& problem_;
  EliminationLimits limits_;
  // A table that was taken is empty.
  std::vector<Table> tables_;
  std::vector<std::vector<size_t>> tablesOf_;
  std::vector<std::set<int64_t>> neighbours_;
  std::vector<Answer> answers_;
  Cost constant_ = 0;
};

}  // namespace

std::optional<Solution> solveByElimination(const Problem& problem,
                                           EliminationLimits limits) {
  return Eliminator(problem, limits).run();
}

}  // namespace sbp::search
