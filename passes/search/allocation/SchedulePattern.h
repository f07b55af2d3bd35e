// The best pattern of an allocation, exactly.
//
// Take two operations i < j of one resource (numbers as in Pattern.h), with
// starts x and durations d. In a valid pattern of period T, exactly one integer
// k(i,j) has
//
//   x[j] - x[i]  in  [d[i] + k T, (k + 1) T - d[j]]
//
// The number of micro-batches of stage s that its processor holds when the
// forward of stage r starts is a sum of such integers:
//
//   s < r    k(Fs,Fr) + 1 + k(Fr,Bs)
//   s = r    k(Fs,Bs) + 1
//   s > r    k(Fr,Bs) - k(Fr,Fs)
//
// So for given integers, memory is known, and times are difference constraints,
// whose least period is a maximum cycle ratio (LeastPeriod.h). The solver
// divides ranges of integers at a given period. Longest paths between all
// operations bound each integer from below and above, and so does memory. If
// two operations overlap at the earliest starts, either the first is delayed
// (a lower integer), or the second (a higher one). A
// pattern that is valid for a period can be stretched to any longer one, so the
// least period is found by bisection, from patterns that were found downwards.

#ifndef PASSES_SEARCH_ALLOCATION_SCHEDULEPATTERN_H_
#define PASSES_SEARCH_ALLOCATION_SCHEDULEPATTERN_H_

#include <cstdint>
#include <optional>

#include "passes/search/allocation/Pattern.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// The answer of the solver.
struct ScheduledAllocation {
  std::optional<Pattern> pattern;  // the best one that was found
  /// No pattern of the allocation has a period below this; infinite if no
  /// pattern fits into the memory.
  double bound = 0;
  int64_t nodes = 0;  // that were looked at
};

/// Returns the best pattern of `allocation` with a period of at most `most`,
/// which may be infinite, or none. Looks at about `maxNodes` nodes of search
/// trees, at most a quarter of them for any one period. A period for which
/// these are not enough counts as too short for the pattern, but not for the
/// bound.
ScheduledAllocation schedulePattern(const StageCosts& costs,
                                    const Allocation& allocation, double most,
                                    int64_t maxNodes);

/// Returns some pattern of `allocation` with a period of at most `period`, with
/// the least period of its order of operations. Returns nullopt if there is
/// none, or none within `maxNodes` nodes.
std::optional<Pattern> patternWithin(const StageCosts& costs,
                                     const Allocation& allocation,
                                     double period, int64_t maxNodes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_SCHEDULEPATTERN_H_
