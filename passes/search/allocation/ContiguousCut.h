// The best contiguous allocation, exactly, with 1F1B* as its schedule.
//
// For a period T, the least delay of every cut is found from the last layers to
// the first (Delay.h): a state is a number of layers left and of stages used,
// and only the least delay matters, since delays never decrease with the delay
// after them. The least period is found by bisection.

#ifndef PASSES_SEARCH_ALLOCATION_CONTIGUOUSCUT_H_
#define PASSES_SEARCH_ALLOCATION_CONTIGUOUSCUT_H_

#include <optional>

#include "passes/search/allocation/Pattern.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// Returns the pattern of the least period over all contiguous allocations to
/// at most as many processors as the problem has. Returns nullopt if none fits
/// into the memory.
std::optional<Pattern> bestContiguous(const StageCosts& costs);

/// Returns the pattern of the least period of one contiguous allocation: 1F1B*
/// (MadPipe, section 4.1). Returns nullopt if the allocation never fits.
std::optional<Pattern> bestOneForwardOneBackward(const StageCosts& costs,
                                                 const Allocation& allocation);

/// The micro-batches in flight by which a cut estimates its memory: none, so
/// that memory is ignored, or as many as there are processors, on each stage.
enum class InFlight { kIgnored, kOnePerProcessor };

/// Returns the contiguous allocation of PipeDream's dynamic program: the least
/// time of the busiest stage or link (Narayanan et al., SOSP 2019, section 3.1,
/// without replicas). Returns nullopt if no cut fits by the estimate.
std::optional<Allocation> pipeDreamCut(const StageCosts& costs,
                                       InFlight inFlight);

/// Returns the time of the busiest stage or link of a contiguous allocation.
double busiestOf(const StageCosts& costs, const Allocation& allocation);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_CONTIGUOUSCUT_H_
