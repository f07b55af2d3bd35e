// Exhaustive search: the oracle of all other solvers.

#ifndef TOOLS_LAB_EXHAUSTIVE_H_
#define TOOLS_LAB_EXHAUSTIVE_H_

#include "passes/search/problem/Solution.h"

namespace sbp::search::lab {

/// Returns the cheapest assignment; of equally cheap ones, the first in
/// lexicographic order. Computes the cost of every assignment once.
Solution solveExhaustively(const Problem& problem);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_EXHAUSTIVE_H_
