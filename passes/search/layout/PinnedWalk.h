// A walk through a block of which one op is pinned, by counts of axes.
//
// All that passes the block passes one state, that of the pinned op. So what it
// costs to come there from each layout before the block, and what it costs to
// go on from there to each layout behind it, are two walks from that state; and
// only the skip, which goes around the op, joins the two ends.

#ifndef PASSES_SEARCH_LAYOUT_PINNEDWALK_H_
#define PASSES_SEARCH_LAYOUT_PINNEDWALK_H_

#include "passes/search/layout/Pins.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

class PinnedWalk {
 public:
  /// `priced` must outlive this.
  PinnedWalk(const PricedChain& priced, const Pin& pin);

  const Pin& pin() const { return pin_; }
  const Walk& walk() const { return *walk_; }
  bool hasSkip() const { return walk_->block().hasSkip; }
  /// Whether the op can run like that. If not, there is nothing else here.
  bool canRun() const { return !before_.empty(); }

  /// From each layout before the block to the pinned result, the op included.
  const Values& before() const { return before_; }
  /// From there to each layout behind the block, additions included.
  const Values& behind() const { return behind_; }

  /// Carries values around the op, to the end of the block or to its start.
  Values skip(Values values) const;
  Values skipBack(Values values) const;

 private:
  const PricedChain* priced_;
  Pin pin_;
  const Walk* walk_;
  Values before_, behind_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PINNEDWALK_H_
