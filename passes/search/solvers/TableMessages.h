// Lower bounds by messages between variables and tables of any number of
// variables.
//
// Messages.h does the same for factors that are trees of links; here a factor
// is a table (problem/Problem.h). A variable takes from each of its tables what
// the table costs at least per state of the variable, and gives shares of the
// sum to the tables that it shares with later variables, or with earlier ones:
//
//      a --- T(a, b, c) --- b       b takes min over a, c of T per state of b
//                |
//                c
//
// The sum of all costs stays the same, so what is left with a state bounds the
// cost of every assignment with this state. A sweep takes a few operations per
// entry of the tables of the problem. It makes none of the larger tables of an
// elimination.

#ifndef PASSES_SEARCH_SOLVERS_TABLEMESSAGES_H_
#define PASSES_SEARCH_SOLVERS_TABLEMESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// The messages of a problem, and the bounds that they give.
class TableMessages {
 public:
  /// Visits the variables in `order`. Forbidden combinations count as dear
  /// ones, so bounds of assignments with them are finite. `problem` must
  /// outlive this.
  TableMessages(const Problem& problem, const std::vector<int64_t>& order);

  /// Goes once forward and once back over all variables.
  void sweep();

  /// Leaves out all states whose bound is above `threshold`. Later sweeps are
  /// shorter, and later bounds are those of assignments of the other states.
  /// Some assignment must cost at most `threshold`.
  void leaveOutAbove(Cost threshold);

  /// Returns a lower bound of the cost of every assignment of the states that
  /// are left.
  Cost bound() const { return bound_; }

  /// Returns the states of `variable` that are left, ascending.
  const std::vector<State>& statesOf(int64_t variable) const {
    return states_[variable];
  }

  /// Returns, per state of statesOf(), a lower bound of the cost of every
  /// assignment with this state.
  const std::vector<Cost>& with(int64_t variable) const {
    return with_[variable];
  }

  /// Returns the number of entries of all tables that are left.
  size_t numEntries() const;

  /// Returns an assignment that is probably cheap: each variable in order has
  /// the state that is the cheapest beside those before it.
  Assignment guess() const;

 private:
  /// A table over at least two variables, with the costs that variables have
  /// given to it.
  struct Factor {
    std::vector<int64_t> variables;
    std::vector<Cost> costs;
  };

  /// A table of a variable, and the place of the variable in the table.
  struct End {
    size_t factor = 0, place = 0;
    bool hasEarlier = false, hasLater = false;
  };

  enum class Give { ToLater, ToEarlier };

  /// The dimensions of a table around one variable.
  struct Around {
    size_t outer = 1, size = 1, inner = 1;
  };

  Around around(const End& end) const;
  void process(int64_t variable, Give give);

  std::vector<int64_t> order_;
  std::vector<Factor> factors_;
  // Per variable and state that is left.
  std::vector<std::vector<State>> states_;
  std::vector<std::vector<Cost>> own_, with_;
  std::vector<std::vector<End>> ends_;  // per variable
  Cost bound_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_TABLEMESSAGES_H_
