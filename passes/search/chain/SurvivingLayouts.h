// The layouts that plans below a given cost may pass, per position.
//
// Two value functions (ValueFunctions.h) bound the cost of every plan through a
// layout. A layout whose bound is above the limit is dropped. Positions with
// equal values share one set of layouts. Similar sets are merged: wherever sets
// differ, values have to be carried over blocks anew, and two value functions
// that repeat with different periods have many distinct pairs of values.

#ifndef PASSES_SEARCH_CHAIN_SURVIVINGLAYOUTS_H_
#define PASSES_SEARCH_CHAIN_SURVIVINGLAYOUTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/search/redistribution/Ticks.h"
#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

class ValueFunctions;

/// The layouts within a limit, per position.
class SurvivingLayouts {
 public:
  /// Selects the layouts whose values in both value functions add up to at most
  /// `limit`.
  SurvivingLayouts(const ValueFunctions& costToCome,
                   const ValueFunctions& costToGo, int64_t numPositions,
                   Ticks limit);

  /// Returns the layouts at a position, in ascending order. The set may have a
  /// few layouts above the limit.
  const std::vector<Layout>& layoutsAt(int64_t position) const {
    return layouts_[sets_[position]];
  }
  /// Returns the largest number of layouts at a position.
  std::size_t mostLayouts() const;
  /// Returns the index of the set at a position. Positions with equal sets have
  /// equal indices.
  int64_t setAt(int64_t position) const { return sets_[position]; }

 private:
  /// Adds a set, or merges it into a similar one. Returns the index of the set.
  int64_t add(std::vector<Layout> layouts);

  std::vector<int64_t> sets_;  // per position
  std::vector<std::vector<Layout>> layouts_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_SURVIVINGLAYOUTS_H_
