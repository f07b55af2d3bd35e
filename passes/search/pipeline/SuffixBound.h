// Lower bounds of the time of plans whose first stages are known, over all ways
// to cut and to run the rest.

#ifndef PASSES_SEARCH_PIPELINE_SUFFIXBOUND_H_
#define PASSES_SEARCH_PIPELINE_SUFFIXBOUND_H_

#include <cstdint>
#include <vector>

#include "passes/search/pipeline/RunPricing.h"
#include "passes/search/pipeline/StageFronts.h"

namespace sbp::search {

/// A stage of a plan that is being made.
struct PlacedStage {
  StageRun run;
  StageWay way;
};

/// The bounds of a case and a family.
class SuffixBound {
 public:
  virtual ~SuffixBound() = default;

  /// Finds the bounds of all plans that take less than `limit` seconds and are
  /// cut at multiples of `grid` units only. Must be called first. Returns a
  /// lower bound of these plans; infinite if none takes less than `limit`.
  /// `withFronts` takes least times from exact fronts (StageFronts.h) where
  /// there are any, which is slower and gives better bounds.
  virtual double prepare(double limit, int64_t grid, bool withFronts) = 0;

  /// Returns a lower bound of the plans that begin with the stages `first`;
  /// infinite if it is not below the limit.
  virtual double boundOf(const std::vector<PlacedStage>& first) const = 0;

  /// Returns a lower bound of the plans that begin with the stages `first` and
  /// have `next` as the next stage.
  virtual double boundOf(const std::vector<PlacedStage>& first,
                         const StageRun& next) const = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_SUFFIXBOUND_H_
