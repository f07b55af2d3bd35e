// All allocations, by depth-first search: exact for short chains.
//
// The tree gives the last layers to a processor first. A node is dropped if
// what it has decided exceeds a limit at the period to beat: time and memory of
// a processor, time of a link (as the energy of AllocationDescent.h without a
// reserve), or if the layers that are left do not fit into what is left of all
// processors together. Processors without a stage are alike. Allocations that
// remain go through the exact scheduler.

#ifndef PASSES_SEARCH_ALLOCATION_ALLOCATIONTREE_H_
#define PASSES_SEARCH_ALLOCATION_ALLOCATIONTREE_H_

#include <cstdint>
#include <optional>

#include "passes/search/allocation/Pattern.h"
#include "passes/search/allocation/StageCosts.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// The result of a search of the tree.
struct AllocationTreeAnswer {
  std::optional<Pattern> pattern;  // the best one that is better than `high`
  /// Whether no allocation has a shorter period than `pattern`, or than `high`
  /// if there is no pattern.
  bool isComplete = false;
};

/// Limits of the search: nodes of the tree, and of the scheduler for each
/// allocation.
struct AllocationTreeLimits {
  int64_t nodes = 0, nodesPerPattern = 0;
};

/// Searches for the best pattern of all allocations with a period below `high`.
AllocationTreeAnswer searchAllAllocations(const StageCosts& costs, double high,
                                          const AllocationTreeLimits& limits,
                                          const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_ALLOCATIONTREE_H_
