// Which layouts a plan below some cost may pass, position by position.
//
// Two trails bound what every plan through a layout costs. Where the bound is
// above the limit, the layout need not be looked at again. Positions with equal
// values have equal sets, and share them. Sets that differ little are one, with
// the layouts of both: what is carried from a set is carried anew wherever sets
// differ, and trails of different periods meet in many.

#ifndef PASSES_SEARCH_LAYOUT_PASSABLE_H_
#define PASSES_SEARCH_LAYOUT_PASSABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/search/layout/Space.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

class Trail;

class Passable {
 public:
  /// Layouts whose values in both trails sum up to no more than `limit`.
  Passable(const Trail& forward, const Trail& backward, int64_t numPositions,
           Ticks limit);

  /// The layouts at a position, in order, and perhaps some few that no such
  /// plan passes.
  const std::vector<Layout>& layoutsAt(int64_t position) const {
    return layouts_[sets_[position]];
  }
  /// How many there are at most at one position.
  std::size_t mostLayouts() const;
  /// Positions with the same layouts have the same set.
  int64_t setAt(int64_t position) const { return sets_[position]; }

 private:
  /// Adds a set, or its layouts to one that is like it; the number of that.
  int64_t add(std::vector<Layout> layouts);

  std::vector<int64_t> sets_;  // per position
  std::vector<std::vector<Layout>> layouts_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PASSABLE_H_
