// A search problem: which state for each variable makes the sum of costs least?
//
// A variable is a decision, such as the layout of a layer; its states are what
// can be decided. A cost belongs to one variable or to two:
//
//   cost(x) = sum over variables v of  own(v, x[v])
//           + sum over edges (u, v) of between(x[u], x[v])
//
// A chain of layers has an edge between neighbours; a residual connection is
// one more edge. The solvers (solvers/) know nothing else of a problem, so that
// each can be tested against the slowest and plainest one, and a problem needs
// no IR.
//
// Costs are seconds, or whatever else is added up; infinity marks what is not
// allowed. Once rounded to a common tick they are whole numbers in disguise:
// sums of doubles are exact then, so they do not depend on the order of
// addition, equal plans cost the same to the last bit, and a proof may compare
// by ==.

#ifndef PASSES_SEARCH_PROBLEM_H_
#define PASSES_SEARCH_PROBLEM_H_

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

/// A cost for every pair of states of two variables, the first one's states
/// being the rows.
class CostTable {
 public:
  CostTable(int64_t rows, int64_t columns, Cost cost = 0)
      : columns_(columns), costs_(rows * columns, cost) {}

  int64_t rows() const { return costs_.size() / columns_; }
  int64_t columns() const { return columns_; }
  Cost& at(State row, State column) { return costs_[row * columns_ + column]; }
  Cost at(State row, State column) const {
    return costs_[row * columns_ + column];
  }
  std::vector<Cost>& entries() { return costs_; }

 private:
  int64_t columns_;
  std::vector<Cost> costs_;
};

struct Variable {
  std::string name;
  std::vector<Cost> costs;  // of each state
};

struct Edge {
  int64_t first = 0, second = 0;  // variables
  CostTable costs;
};

class Problem {
 public:
  /// Adds a variable, which has a cost per state, and returns its index.
  int64_t addVariable(std::string name, std::vector<Cost> costs);

  /// Adds costs between two different variables. There may be several edges
  /// between the same two.
  void addEdge(int64_t first, int64_t second, CostTable costs);

  /// Restricts a variable to one of its states: a pin.
  void pin(int64_t variable, State state);

  /// Rounds all costs to multiples of one tick: the smallest power of two with
  /// which no sum of costs loses a bit. To be called when all costs are there.
  void roundToTicks();

  int64_t numVariables() const { return variables_.size(); }
  int64_t numStates(int64_t variable) const {
    return variables_[variable].costs.size();
  }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// Indices of the edges that touch `variable`.
  const std::vector<int64_t>& edgesOf(int64_t variable) const {
    return edgesOf_[variable];
  }

  Cost cost(const Assignment& assignment) const;

  /// What all costs that touch `variable` come to if it has `state` and the
  /// others are as in `assignment`.
  Cost costAround(const Assignment& assignment, int64_t variable,
                  State state) const;

 private:
  std::vector<Variable> variables_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int64_t>> edgesOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_H_
