// The fastest way along a corridor within a limit of bytes.
//
// A dynamic program over pairs of time and bytes: for every layout at every
// position all *labels*, none worse than another in both. They would grow
// without end, but for any price of a byte it is known what is left to pay
// along the corridor from every layout: so every label has a bound on what
// plans with it cost, and is dropped at once where that is above what is wanted
// plus the price of the limit. Several prices are asked: a byte for nothing
// says what is too slow already, one that is very dear what has taken too many
// bytes.

#ifndef PASSES_SEARCH_LAYOUT_LABELS_H_
#define PASSES_SEARCH_LAYOUT_LABELS_H_

#include <cstdint>
#include <vector>

#include "passes/search/layout/Corridor.h"
#include "passes/search/layout/LeftAlong.h"

namespace sbp::search {

struct LabelQuestion {
  /// Plans that take longer do not matter.
  Ticks most = kNever;
  /// How many labels may be formed.
  int64_t maxLabels = 0;
  /// How many labels of one position are kept, those that promise most: for a
  /// plan that is good, and found soon. None: all that matter, for the fastest
  /// plan.
  int64_t keptLabels = 0;
};

/// How a step is taken: a passage, and a pair of its front.
struct LabelStep {
  int64_t passage = 0;
  TimeAndBytes cost;
};

struct LabelAnswer {
  TimeAndBytes cost;  // never, if there is none within reach
  std::vector<LabelStep> steps;
  /// False if labels became too many: then nothing is known.
  bool isComplete = true;
  int64_t labels = 0;  // that were formed
};

/// `left` is of this corridor, whose fronts may have risen since.
LabelAnswer fastestAlong(const Corridor& corridor, const LeftAlong& left,
                         const LabelQuestion& question);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_LABELS_H_
