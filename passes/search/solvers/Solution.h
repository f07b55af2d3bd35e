// What a solver answers.

#ifndef PASSES_SEARCH_SOLVERS_SOLUTION_H_
#define PASSES_SEARCH_SOLVERS_SOLUTION_H_

#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

struct Solution {
  Assignment assignment;
  /// The cost of `assignment`; infinite if the solver found none that is
  /// allowed.
  Cost cost = kInfiniteCost;
  /// No assignment costs less than this, for certain. Zero where a solver
  /// proves nothing.
  Cost lowerBound = 0;

  bool isOptimal() const { return cost == lowerBound; }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_SOLUTION_H_
