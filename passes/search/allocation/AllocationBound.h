// Periods that no allocation attains.
//
// For a period T, labels go from the last layers to the first. A label has what
// any allocation of the layers after a cut needs at least:
//
//   delay             of the cut (Delay.h)
//   normal            number of processors with one stage
//   load, bytes       of all stages of processors with several stages, added up
//   stages            number of these stages
//
// A stage of a normal processor must fit into its memory with all micro-batches
// that it has in flight. A stage of another processor has delay / T
// micro-batches in flight on average over time, and so its processor needs at
// least that on average. The q processors with several stages are pooled: they
// have q T milliseconds and q times the memory together. If no label reaches
// the first layer, no allocation has the period T, or a shorter one.

#ifndef PASSES_SEARCH_ALLOCATION_ALLOCATIONBOUND_H_
#define PASSES_SEARCH_ALLOCATION_ALLOCATIONBOUND_H_

#include <cstdint>

#include "passes/search/allocation/StageCosts.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns the least time of the busiest processor: the mean over processors,
/// rounded up to the next multiple of a time of which every layer's time is a
/// multiple.
double leastLoad(const StageCosts& costs);

/// Limits of one proof.
struct LabelLimits {
  int64_t labels = 0;  // per cut and number of normal processors
  int64_t work = 0;    // comparisons of labels
};

/// Whether it is proven that no pattern of any allocation has a period of
/// `period` or less. Labels beyond a limit are merged, which proves less.
/// Returns false if the work, or `run`, ends before the proof is complete.
bool isRefuted(const StageCosts& costs, double period,
               const LabelLimits& limits, const SearchRun& run);

/// Raises a bound of all periods: returns the longest period, of at least `low`
/// and up to `high`, that is refuted within `limits` each. Periods below `low`
/// must be refuted. Returns `high` if every shorter period is refuted, up to
/// rounding.
double raisedBound(const StageCosts& costs, double low, double high,
                   const LabelLimits& limits, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_ALLOCATIONBOUND_H_
