// The result of a solver.

#ifndef PASSES_SEARCH_SOLVERS_SOLUTION_H_
#define PASSES_SEARCH_SOLVERS_SOLUTION_H_

#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

/// An assignment, its cost, and a bound.
struct Solution {
  Assignment assignment;
  /// Cost of `assignment`; infinite if the solver found no allowed assignment.
  Cost cost = kInfiniteCost;
  /// Proven lower bound of the cost of every assignment; 0 if a solver proves
  /// nothing.
  Cost lowerBound = 0;

  bool isOptimal() const { return cost == lowerBound; }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_SOLUTION_H_
