// The fastest way along a corridor within a limit of bytes.
//
// A dynamic program over pairs of time and bytes: for every layout at every
// position all *labels*, none worse than another in both. They would grow
// without end, but with a price paid for bytes every label has a bound on what
// plans with it cost, and those above `reach` are dropped at once.

#ifndef PASSES_SEARCH_LAYOUT_LABELS_H_
#define PASSES_SEARCH_LAYOUT_LABELS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "passes/search/layout/Corridor.h"

namespace sbp::search {

struct LabelQuestion {
  double limitBytes = 0;
  double bytePrice = 0;
  /// Plans whose time and price of bytes are above it do not matter.
  Ticks reach = kNever;
  /// A bound on what is left to pay behind a position.
  std::function<Ticks(int64_t position, Layout)> left;
  /// Per step, the fewest bytes that it and all later ones need.
  std::vector<double> fewestLeft;
  /// How many labels may be formed.
  int64_t maxLabels = 0;
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
};

LabelAnswer fastestAlong(const Corridor& corridor,
                         const LabelQuestion& question);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_LABELS_H_
