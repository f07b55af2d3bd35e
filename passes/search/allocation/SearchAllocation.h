// The best allocation of a chain to processors, and its pattern.
//
// In this order: PipeDream's cut; the best contiguous allocation, exactly; a
// bound of all allocations by labels (AllocationBound.h); MadPipe-DP and its
// best pattern; all allocations, as long as these are few (AllocationTree.h);
// annealing for periods between the bound and the best one, each allocation
// that it finds through the exact scheduler; a better bound; more of all
// allocations. It ends when bound and best period meet.

#ifndef PASSES_SEARCH_ALLOCATION_SEARCHALLOCATION_H_
#define PASSES_SEARCH_ALLOCATION_SEARCHALLOCATION_H_

#include <cstdint>
#include <optional>

#include "passes/search/allocation/AllocationTuning.h"
#include "passes/search/allocation/ChainProblem.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// The answer of the search. Each pattern is valid.
struct AllocationAnswer {
  /// Busiest time of PipeDream's cut without a limit of memory, and the best
  /// pattern of its cut within its estimate of memory, if that ever fits.
  double pipeDreamPeriod = 0;
  std::optional<Pattern> pipeDream;
  std::optional<Pattern> contiguous;
  /// Period that MadPipe-DP promises, and the best pattern that was found for
  /// its allocation.
  std::optional<double> madPipePeriod;
  std::optional<Pattern> madPipe;
  std::optional<Pattern> best;
  /// No pattern of any allocation has a period below this; infinite if none
  /// fits.
  double bound = 0;
  int64_t descents = 0, tried = 0;  // annealing runs, allocations scheduled

  bool isProven() const { return best && bound >= best->period; }
};

/// Returns the best allocation that is found. The problem must have passed
/// check(). Equal problems have equal answers unless `run` ends the search.
AllocationAnswer searchAllocation(const ChainProblem& problem,
                                  const AllocationTuning& tuning,
                                  const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_SEARCHALLOCATION_H_
