// Order in which variables are eliminated.
//
// The elimination of a variable takes the product of the numbers of states of
// the variable and of its neighbours at that time, and makes these neighbours
// adjacent to each other. The best order is hard to find (NP-hard). Two greedy
// rules are tried on the graph alone, and the order with less work is taken:
// next is the variable with the least work, or the variable that leaves the
// smallest table.

#ifndef PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_
#define PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_

#include <set>
#include <vector>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Per variable, the variables that it shares a table with.
using Neighbours = std::vector<std::set<int64_t>>;

/// An order, and what an elimination in this order takes.
struct EliminationOrder {
  std::vector<int64_t> variables;
  /// Number of additions of costs.
  double work = 0;
  /// Number of entries of the largest table that an elimination leaves.
  double largestTable = 0;
  /// Number of entries of all these tables together.
  double tableEntries = 0;
};

/// Returns an order that takes little work.
EliminationOrder findEliminationOrder(const Problem& problem,
                                      const Neighbours& neighbours);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_
