// A search problem: which state for each variable makes the sum of costs least?
//
// A variable is a decision, such as the layout of a layer; its states are the
// choices. A cost is a table over one or several variables:
//
//   a --- b --- c      cost(x) = own(x[a]) + own(x[b]) + own(x[c])
//                              + between(x[a], x[b]) + between(x[b], x[c])
//
// A chain of layers has a table for each pair of neighbouring layers. A
// residual connection is a further table. The solvers (solvers/) know nothing
// else of a problem. So a problem needs no IR, and each solver can be tested
// against exhaustive search.
//
// Costs are seconds, or any other quantity that adds up; infinity marks a
// forbidden combination. After roundToTicks() all costs are multiples of one
// power of two. Sums of doubles are then exact, whatever the order of addition:
// equal plans have equal costs to the last bit, and a proof may compare costs
// by ==.

#ifndef PASSES_SEARCH_PROBLEM_PROBLEM_H_
#define PASSES_SEARCH_PROBLEM_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::search {

using Cost = double;
inline constexpr Cost kInfiniteCost = std::numeric_limits<Cost>::infinity();

/// The index of a variable's state.
using State = int32_t;

/// A state for every variable.
using Assignment = std::vector<State>;

/// A decision, by the number of its states.
struct Variable {
  std::string name;
  int64_t numStates = 1;
};

/// Costs of all combinations of the states of some variables.
struct Table {
  std::vector<int64_t> variables;  // Each variable once, in any order.
  /// Row-major: the last variable's state changes fastest.
  std::vector<Cost> costs;
};

/// Variables, and tables of costs over them. A solver looks for an assignment
/// with the least sum of costs.
class Problem {
 public:
  /// Adds a variable and returns its index.
  int64_t addVariable(std::string name, int64_t numStates);

  /// Adds a table over variables that addVariable() has returned. Several
  /// tables may be over the same variables.
  void addCosts(std::vector<int64_t> variables, std::vector<Cost> costs);

  /// Makes infinite each cost that is too high for any assignment of at most
  /// `ceiling`: even with the least costs of all other tables, the sum would be
  /// higher. If such costs stayed finite, they would make the tick of
  /// roundToTicks() coarse.
  void forbidAbove(Cost ceiling);

  /// Rounds all costs to multiples of one tick: the smallest power of two with
  /// which no sum of costs loses a bit. Must be called after all costs have
  /// been added. Returns the most by which rounding may change the cost of an
  /// assignment.
  Cost roundToTicks();

  int64_t numVariables() const { return variables_.size(); }
  int64_t numStates(int64_t variable) const {
    return variables_[variable].numStates;
  }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<Table>& tables() const { return tables_; }

  /// Returns the index of the cost in table `index` that `assignment` selects.
  int64_t entryOf(size_t index, const Assignment& assignment) const;

  /// Returns the sum of the costs that `assignment` selects, which must have a
  /// state for every variable.
  Cost cost(const Assignment& assignment) const;

  /// Fails if the problem is unsound: a table that names a variable twice, or a
  /// cost that is neither a number nor infinity.
  absl::Status check() const;

  /// Returns the cost of `assignment`. Fails if it is no answer: it lacks a
  /// variable, has a state that a variable does not have, or is forbidden.
  absl::StatusOr<Cost> verify(const Assignment& assignment) const;

  /// Returns the sum of the costs in all tables over `variable`, if `variable`
  /// has `state` and the other variables are as in `assignment`.
  Cost costAround(const Assignment& assignment, int64_t variable,
                  State state) const;

 private:
  /// Returns the cost in `table`, if `variable` has `state` and the other
  /// variables are as in `assignment`.
  Cost entry(const Table& table, const Assignment& assignment,
             int64_t variable = -1, State state = 0) const;

  std::vector<Variable> variables_;
  std::vector<Table> tables_;
  std::vector<std::vector<int64_t>> tablesOf_;  // per variable
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_PROBLEM_H_
