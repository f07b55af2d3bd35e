// The assignments between the cheapest one and the one that uses the least of a
// resource: the corners of the lower convex hull of cost and use.
//
//   cost |  a                 a uses the least, c is the cheapest
//        |
//        |     b        x     b is the cheapest at some price of the resource,
//        |            c       x at none
//        +---------------
//                     use
//
// The hull is found from its ends. Let a and c be two neighbouring corners that
// are known. At the price at which both cost the same, the cheapest assignment
// is a new corner between them, or there is none.

#ifndef PASSES_SEARCH_SOLVERS_TRADEOFFS_H_
#define PASSES_SEARCH_SOLVERS_TRADEOFFS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "passes/search/problem/Problem.h"
#include "passes/search/problem/Resources.h"
#include "passes/search/solvers/BucketTree.h"

namespace sbp::search {

/// An assignment, its cost, and what it uses of the resource.
struct TradeOff {
  Assignment assignment;
  Cost cost = 0;
  double used = 0;
};

/// Returns corners of the hull, the cheapest first, and the one with the least
/// use last. If there are more than `most` corners, returns the ends and those
/// that lie farthest below the line between their neighbours; if `most` is 1,
/// the cheapest. Leaves out
/// corners that lie only a rounding error below it. Returns nullopt if
/// elimination would exceed `limits`, or if their run is over.
std::optional<std::vector<TradeOff>> tradeOffs(
    const Problem& problem, const Resource& resource, size_t most,
    const EliminationLimits& limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_TRADEOFFS_H_
