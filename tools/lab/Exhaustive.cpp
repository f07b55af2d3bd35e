#include "tools/lab/Exhaustive.h"

#include <algorithm>

namespace sbp::search::lab {
namespace {

/// Enumerates all assignments; the state of the last variable changes fastest.
/// Adds the cost of a table as soon as all its variables have states.
class Enumeration {
 public:
  explicit Enumeration(const Problem& problem)
      : problem_(problem),
        added_(problem.numVariables()),
        ends_(problem.numVariables()),
        assignment_(problem.numVariables(), 0) {
    for (const Table& table : problem.tables())
      ends_[last(table)].push_back(&table);
    for (int64_t v = 0; v < problem.numVariables(); ++v)
      added_[v].resize(problem.numStates(v));
  }

  Solution run() {
    extend(0, 0);
    best_.lowerBound = best_.cost;
    return std::move(best_);
  }

 private:
  static int64_t last(const Table& table) {
    return *std::max_element(table.variables.begin(), table.variables.end());
  }

  /// Computes, for each state of `variable`, the sum of the tables whose last
  /// variable it is.
  void addUp(int64_t variable) {
    std::vector<Cost>& added = added_[variable];
    std::fill(added.begin(), added.end(), 0);
    for (const Table* table : ends_[variable]) {
      int64_t begin = 0, stride = 1;
      for (int64_t v : table->variables) {
        begin = begin * problem_.numStates(v) +
                (v == variable ? 0 : assignment_[v]);
        stride = v == variable ? 1 : stride * problem_.numStates(v);
      }
      const Cost* costs = table->costs.data() + begin;
      for (Cost& sum : added) {
        sum += *costs;
        costs += stride;
      }
    }
  }

  void extend(int64_t variable, Cost costBefore) {
    if (variable == problem_.numVariables()) {
      if (costBefore >= best_.cost) return;
      best_.cost = costBefore;
      best_.assignment = assignment_;
      return;
    }
    addUp(variable);
    std::vector<Cost>& added = added_[variable];
    if (variable + 1 == problem_.numVariables()) {
      auto least = std::min_element(added.begin(), added.end());
      assignment_[variable] = static_cast<State>(least - added.begin());
      return extend(variable + 1, costBefore + *least);
    }
    for (State state = 0; state < static_cast<State>(added.size()); ++state) {
      assignment_[variable] = state;
      extend(variable + 1, costBefore + added[state]);
    }
  }

  const Problem& problem_;
  std::vector<std::vector<Cost>> added_;
  std::vector<std::vector<const Table*>> ends_;  // per last variable
  Assignment assignment_;
  Solution best_;
};

}  // namespace

Solution solveExhaustively(const Problem& problem) {
  return Enumeration(problem).run();
}

}  // namespace sbp::search::lab
