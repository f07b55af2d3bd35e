// Crossings of one block from or to single layouts, listed on demand.
//
// Narrow rows and columns (NarrowRows.h, NarrowColumns.h) visit few layouts if
// their bounds are tight. These bounds include the skip by its distances from
// one layout only, the anchor (NarrowSkip.h). If the anchor is far from the
// start or end of the crossings, the bounds are low, and many layouts matter.
// Then bounds are computed with an anchor at this start or end. This takes as
// long as a sweep over all layouts, but later lists are mostly wanted for
// layouts near it. Of all anchors, the one with the highest bound is used.
//
// Lists are kept, because they are wanted again, mostly with a higher limit.

#ifndef PASSES_SEARCH_LAYOUT_NARROWLISTS_H_
#define PASSES_SEARCH_LAYOUT_NARROWLISTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "passes/search/layout/NarrowColumns.h"
#include "passes/search/layout/NarrowRows.h"

namespace sbp::search {

/// Crossings from or to a layout whose cost, plus the bound of the rest of the
/// plan, is at most `upTo`.
struct ListedCrossings {
  Ticks upTo = -kNever;
  Row row;
};

/// Lists of crossings. `Narrow` is NarrowRows or NarrowColumns.
template <typename Narrow>
class NarrowLists {
 public:
  /// `make` makes narrow rows or columns with an anchor; `anchorAt` makes an
  /// anchor at a layout, and is null if there is no skip. A list is given up if
  /// more than `most` layouts matter.
  struct Maker {
    std::function<Narrow(SkipAnchor)> make;
    std::function<SkipAnchor(Layout)> anchorAt;
    std::size_t most = 0;
  };
  NarrowLists(Maker maker, SkipAnchor anchor);

  /// Returns the crossings from or to `layout`, at least up to `upTo`; null if
  /// they are given up. `known` is a known lower bound of their costs. Calls
  /// `raise` for each row that is new, so that the caller can raise its
  /// entries.
  const ListedCrossings* list(Layout layout, Ticks known, Ticks upTo,
                              const std::function<void(Row&)>& raise);
  /// Adds an anchor at `layout`, if there is a skip.
  void addAnchor(Layout layout);
  /// Returns a lower bound of the cost of a crossing and the rest of the plan.
  Ticks least(Layout layout) const {
    return finders_[closest(layout)].narrow.least(layout);
  }
  /// Calls `raise` for all listed rows.
  void raiseListed(const std::function<void(Layout, Row&)>& raise);
  /// Removes all lists.
  void forget();

 private:
  /// Narrow rows or columns with one anchor, and the lists that they found.
  struct Finder {
    Narrow narrow;
    std::map<Layout, ListedCrossings> listed = {};
    // Least difference of `upTo` and its own bound at which it gave up a list.
    Ticks gaveUp = kNever;
  };
  /// Returns the index of the finder with the highest bound.
  std::size_t closest(Layout layout) const;
  const ListedCrossings* listBy(Finder& finder, Layout layout, Ticks known,
                                Ticks upTo,
                                const std::function<void(Row&)>& raise);

  Maker maker_;
  std::vector<Finder> finders_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWLISTS_H_
