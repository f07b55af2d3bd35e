// MadPipe-DP: the first phase of MadPipe (section 4.2), as it was published.
//
// All processors have one stage, except a special one, which may have any
// number of stages. A state is (layers left, normal processors left, load and
// memory of the special processor, delay after). Its value is the least busiest
// time; memory is computed for a target period. Loads, memory and delays are
// rounded up to grids. The special processor is charged one micro-batch less
// than each of its stages has in flight, which is less than it needs; so the
// period of this phase is only attained if a pattern is found for it.

#ifndef PASSES_SEARCH_ALLOCATION_SPECIALPROCESSOR_H_
#define PASSES_SEARCH_ALLOCATION_SPECIALPROCESSOR_H_

#include <cstdint>
#include <optional>

#include "passes/search/allocation/Allocation.h"
#include "passes/search/allocation/StageCosts.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Numbers of grid points; 0 means no rounding, which is exact, and slower. The
/// defaults are the paper's (section 5.1).
struct SpecialProcessorGrids {
  int64_t loads = 101, bytes = 11, delays = 51;
  int64_t iterations = 12;  // of the search for the target period
};

/// The answer for one target, or for the best one.
struct SpecialProcessorPlan {
  Allocation allocation;
  double period = 0;  // that the first phase promises
};

/// Returns MadPipe-DP(target): the allocation whose busiest time is least among
/// those that fit at `target` and are below `limit`; nullopt if there is none.
/// Its period is that busiest time. Returns nullopt if `run` is over before.
std::optional<SpecialProcessorPlan> specialProcessorAt(
    const StageCosts& costs, double target, double limit,
    const SpecialProcessorGrids& grids, const SearchRun& run);

/// Returns the plan whose larger one of target and period is least; that is the
/// period that it promises. As in algorithm 1, the target is found by
/// bisection, but plans above a target are never looked for, which is much
/// faster. Tries the target `first` first, which may be infinite. Returns the
/// best plan until `run` is over.
std::optional<SpecialProcessorPlan> bestSpecialProcessor(
    const StageCosts& costs, const SpecialProcessorGrids& grids, double first,
    const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_SPECIALPROCESSOR_H_
