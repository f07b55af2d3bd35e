// In which order to eliminate variables.
//
// To eliminate a variable takes the product of its states and those of its
// neighbours at that time, and makes them neighbours of each other. Which order
// takes least is a hard question; two greedy answers are tried on the graph
// alone, and the better one is taken: next the variable that takes the least
// work, or next the one that leaves the smallest table.

#ifndef PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_
#define PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_

#include <set>
#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

/// Per variable, those that it shares a table with.
using Neighbours = std::vector<std::set<int64_t>>;

struct EliminationOrder {
  std::vector<int64_t> variables;
  /// How many sums of costs are formed.
  double work = 0;
  /// The most entries of a table that is left by an elimination.
  double largestTable = 0;
  /// How many all of these have together.
  double tableEntries = 0;
};

/// An order that takes little work.
EliminationOrder findEliminationOrder(const Problem& problem,
                                      const Neighbours& neighbours);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ELIMINATIONORDER_H_
