// The result of a solver.

#ifndef PASSES_SEARCH_PROBLEM_SOLUTION_H_
#define PASSES_SEARCH_PROBLEM_SOLUTION_H_

#include <vector>

#include "absl/status/status.h"
#include "passes/search/problem/Problem.h"

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

/// Fails if `solution` is no answer to `problem`: its assignment is not allowed
/// (Problem::verify), does not have the cost of the solution, or costs less
/// than the lower bound. Costs may differ by the rounding of sums of doubles.
absl::Status verify(const Problem& problem, const Solution& solution);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_SOLUTION_H_
