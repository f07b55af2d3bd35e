// Exhaustive search: the oracle of all other solvers.

#ifndef PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_
#define PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_

#include "passes/search/problem/Solution.h"

namespace sbp::search {

/// Returns the cheapest assignment; of equally cheap ones, the first in
/// lexicographic order. Computes the cost of every assignment once.
Solution solveExhaustively(const Problem& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_
