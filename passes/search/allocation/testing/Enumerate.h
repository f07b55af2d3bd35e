// The best pattern by enumeration: an oracle for small chains, without any of
// the solvers' theory of delays, closures or labels.

#ifndef PASSES_SEARCH_ALLOCATION_TESTING_ENUMERATE_H_
#define PASSES_SEARCH_ALLOCATION_TESTING_ENUMERATE_H_

#include <functional>
#include <optional>
#include <random>

#include "passes/search/allocation/ChainProblem.h"

namespace sbp::search {

/// Calls `visit` for each allocation of `layers` layers to `processors`
/// processors, up to names of processors: processors are numbered in the order
/// of their first layers.
void forEachAllocation(int64_t layers, int64_t processors,
                       const std::function<void(const Allocation&)>& visit);

/// Returns the pattern of the least period of `allocation`; nullopt if none
/// fits. Tries all orders of operations on each resource, with all shifts
/// between micro-batches: integers as in SchedulePattern.h, up to the number of
/// stages, one pair after the other. Drops a choice only if the period that it
/// has already is no better than one that was found, or if the micro-batches
/// that it certainly has in flight do not fit.
std::optional<Pattern> enumeratePatterns(const ChainProblem& problem,
                                         const Allocation& allocation);

/// Returns a random chain with small integers for times and sizes, for 1 to 3
/// processors. Most have an allocation that fits, and is limited by memory.
ChainProblem randomChainProblem(int64_t mostLayers, std::mt19937& random);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_TESTING_ENUMERATE_H_
