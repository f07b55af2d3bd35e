// Trying everything: the oracle of all other solvers.

#ifndef PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_
#define PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_

#include "passes/search/solvers/Solution.h"

namespace sbp::search {

/// The cheapest assignment, the first of them in lexicographic order. Prices
/// every assignment once, in time proportional to their number.
Solution solveExhaustively(const Problem& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_EXHAUSTIVE_H_
