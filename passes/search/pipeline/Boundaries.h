// How two neighbouring stages may meet: the layouts on both sides of a cut.

#ifndef PASSES_SEARCH_PIPELINE_BOUNDARIES_H_
#define PASSES_SEARCH_PIPELINE_BOUNDARIES_H_

#include <cstdint>
#include <vector>

#include "passes/search/pipeline/JointCase.h"

namespace sbp::search {

/// One way to meet. Each side pays for it alone, so that a stage has a price
/// without its neighbours.
struct Boundary {
  /// Seconds per micro-batch and direction, by layout of the last unit before
  /// the cut, and of the first unit after it. Infinite if the layout does not
  /// meet in this way.
  std::vector<double> before, after;
  double delay = 0;  // of messages, seconds each
};

/// The ways to meet of a case.
struct Boundaries {
  std::vector<Boundary> all;
  /// Whether each way is one pair of layouts. Otherwise the times are lower
  /// bounds.
  bool isExact = true;
};

/// Returns the ways to meet of `ofCase`: all pairs of layouts if there are at
/// most `maxPairs`; otherwise one way, in which each layout pays its least
/// time.
Boundaries boundariesOf(const JointCase& ofCase, int64_t maxPairs);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_BOUNDARIES_H_
