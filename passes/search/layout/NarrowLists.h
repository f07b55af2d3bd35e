// Crossings of one block from or to its layouts, as far as they were asked for.
//
// Narrow rows and columns are narrow where the bounds are close that they are
// found with, and these know the skip by one anchor only (NarrowSkip.h). Where
// that lies far off, more layouts than few are worth a look. Then bounds are
// made anew with an anchor at the layout itself: that takes as long as to sweep
// over all layouts, but what is asked for next is mostly near it. Of all
// anchors, that counts which says most.
//
// What was listed is kept, since it is asked for again, mostly farther.

#ifndef PASSES_SEARCH_LAYOUT_NARROWLISTS_H_
#define PASSES_SEARCH_LAYOUT_NARROWLISTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "passes/search/layout/NarrowColumns.h"
#include "passes/search/layout/NarrowRows.h"

namespace sbp::search {

/// Crossings from or to a layout: those of which the cost and the bound of the
/// rest are at most `upTo`.
struct ListedCrossings {
  Ticks upTo = -kNever;
  Row row;
};

/// `Narrow` is NarrowRows or NarrowColumns.
template <typename Narrow>
class NarrowLists {
 public:
  /// How narrow rows or columns are made with an anchor, and which one has no
  /// distance from some layout; nothing where there is no skip. Lists are given
  /// up for which more than `most` layouts are worth a look.
  struct Maker {
    std::function<Narrow(SkipAnchor)> make;
    std::function<SkipAnchor(Layout)> anchorAt;
    std::size_t most = 0;
  };
  NarrowLists(Maker maker, SkipAnchor anchor);

  /// Crossings from or to `layout`, at least as far as `upTo`; null if they are
  /// given up. What they cost at least is known to be `known`, and `raise` is
  /// called for rows that are new.
  const ListedCrossings* list(Layout layout, Ticks known, Ticks upTo,
                              const std::function<void(Row&)>& raise);
  /// Adds an anchor there, if there is a skip.
  void addAnchor(Layout layout);
  /// What they and the rest are known to cost at least.
  Ticks least(Layout layout) const {
    return finders_[closest(layout)].narrow.least(layout);
  }
  /// Calls `raise` for all that was listed.
  void raiseListed(const std::function<void(Layout, Row&)>& raise);
  /// Forgets what was listed.
  void forget();

 private:
  struct Finder {
    Narrow narrow;
    std::map<Layout, ListedCrossings> listed = {};
    // How far above its own bounds it gave up, at least.
    Ticks gaveUp = kNever;
  };
  /// The finder with the closest bound.
  std::size_t closest(Layout layout) const;
  const ListedCrossings* listBy(Finder& finder, Layout layout, Ticks known,
                                Ticks upTo,
                                const std::function<void(Row&)>& raise);

  Maker maker_;
  std::vector<Finder> finders_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWLISTS_H_
