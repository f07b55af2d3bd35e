// The fastest plan along a reduced space within a limit of bytes.
//
// This is a dynamic program over pairs of time and bytes: for every layout at
// every position it keeps *labels*, the non-dominated pairs. Bounds keep the
// number of labels small: for any price of a byte, the cost that is left along
// the reduced space is known for every layout (PricedCostToGo.h). So each label
// has a lower bound of the cost of plans with it. The label is dropped if the
// bound is above the wanted time plus the price of the limit. Several prices
// are used: a price of 0 drops labels that are too slow, a very high price
// drops labels with too many bytes.

#ifndef PASSES_SEARCH_BUDGET_LABELS_H_
#define PASSES_SEARCH_BUDGET_LABELS_H_

#include <cstdint>
#include <vector>

#include "passes/search/budget/PricedCostToGo.h"
#include "passes/search/budget/ReducedSpace.h"

namespace sbp::search {

/// Options of a search.
struct LabelQuestion {
  /// Plans that take longer do not matter.
  Ticks most = kNever;
  /// Most labels that may be formed.
  int64_t maxLabels = 0;
  /// Number of labels, those with the best bounds, that are kept per position,
  /// to find a good plan soon. 0 keeps all labels that matter, to find the
  /// fastest plan.
  int64_t keptLabels = 0;
};

/// A step of a plan: an arc, and a pair of its front.
struct LabelStep {
  int64_t arc = 0;
  TimeAndBytes cost;
};

/// The result of a search.
struct LabelAnswer {
  TimeAndBytes cost;  // kNever if there is no such plan
  std::vector<LabelStep> steps;
  /// False if there were too many labels. Then nothing is known.
  bool isComplete = true;
  int64_t labels = 0;  // number of labels that were formed
};

/// Returns the fastest plan along `reduced`. `left` must be of this reduced
/// space, whose fronts may have risen since.
LabelAnswer fastestAlong(const ReducedSpace& reduced,
                         const PricedCostToGo& left,
                         const LabelQuestion& question);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_LABELS_H_
