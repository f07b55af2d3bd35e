// A search problem: which state for each variable makes the sum of costs least?
//
// A variable is a decision, such as the layout of a layer; its states are what
// can be decided. A cost is a table over one variable or several:
//
//   a --- b --- c      cost(x) = own(x[a]) + own(x[b]) + own(x[c])
//                              + between(x[a], x[b]) + between(x[b], x[c])
//
// A chain of layers has a table between neighbours; a residual connection is
// one more table. The solvers (solvers/) know nothing else of a problem, so
// that each can be tested against the slowest and plainest one, and a problem
// needs no IR.
//
// Costs are seconds, or whatever else is added up; infinity marks what is not
// allowed. Once rounded to a common tick they are whole numbers in disguise:
// sums of doubles are exact then, so they do not depend on the order of
// addition, equal plans cost the same to the last bit, and a proof may compare
// by ==.

#ifndef PASSES_SEARCH_PROBLEM_H_
#define PASSES_SEARCH_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sbp::search {

using Cost = double;
inline constexpr Cost kInfiniteCost = std::numeric_limits<Cost>::infinity();

/// The index of a variable's state.
using State = int32_t;

/// A state for every variable.
using Assignment = std::vector<State>;

struct Variable {
  std::string name;
  int64_t numStates = 1;
};

/// A cost for every combination of states of some variables.
struct Table {
  std::vector<int64_t> variables;  // each once, in any order
  std::vector<Cost> costs;         // row-major: the last variable's fastest
};

class Problem {
 public:
  /// Adds a variable and returns its index.
  int64_t addVariable(std::string name, int64_t numStates);

  /// Adds costs over variables that are known. There may be several tables over
  /// the same ones.
  void addCosts(std::vector<int64_t> variables, std::vector<Cost> costs);

  /// Restricts a variable to one of its states: a pin.
  void pin(int64_t variable, State state);

  /// Forbids what only assignments have that cost more than `ceiling`. Prices
  /// that nobody pays would make ticks coarse.
  void forbidAbove(Cost ceiling);

  /// Rounds all costs to multiples of one tick: the smallest power of two with
  /// which no sum of costs loses a bit. To be called when all costs are there.
  /// Returns by how much that may change what an assignment costs.
  Cost roundToTicks();

  int64_t numVariables() const { return variables_.size(); }
  int64_t numStates(int64_t variable) const {
    return variables_[variable].numStates;
  }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<Table>& tables() const { return tables_; }
  /// Indices of the tables over `variable`.
  const std::vector<int64_t>& tablesOf(int64_t variable) const {
    return tablesOf_[variable];
  }

  /// The entry of table `index` that `assignment` chooses.
  int64_t entryOf(size_t index, const Assignment& assignment) const;

  Cost cost(const Assignment& assignment) const;

  /// What all tables over `variable` come to if it has `state` and the others
  /// are as in `assignment`.
  Cost costAround(const Assignment& assignment, int64_t variable,
                  State state) const;

 private:
  /// The cost in a table when `variable` has `state`, others as assigned.
  Cost entry(const Table& table, const Assignment& assignment,
             int64_t variable = -1, State state = 0) const;

  std::vector<Variable> variables_;
  std::vector<Table> tables_;
  std::vector<std::vector<int64_t>> tablesOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_H_
