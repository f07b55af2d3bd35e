// A walk (Walk.h) through a block with a pinned op, by counts of axes.
//
// All ways through the block pass one state, that of the pinned op. So two
// walks from this state give the costs from each layout before the block to it,
// and from it to each layout after the block. Only the skip, which goes around
// the op, links both ends.

#ifndef PASSES_SEARCH_LAYOUT_PINNEDWALK_H_
#define PASSES_SEARCH_LAYOUT_PINNEDWALK_H_

#include "passes/search/layout/Pins.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// The costs of a block with one pin.
class PinnedWalk {
 public:
  /// `priced` must outlive this object.
  PinnedWalk(const PricedChain& priced, const Pin& pin);

  const Pin& pin() const { return pin_; }
  const Walk& walk() const { return *walk_; }
  bool hasSkip() const { return walk_->block().hasSkip; }
  /// Whether the op can have the pinned result. If not, no other method may be
  /// called.
  bool canRun() const { return !before_.empty(); }

  /// Costs from each layout before the block to the pinned result, the op
  /// included.
  const Values& before() const { return before_; }
  /// Costs from the pinned result to each layout after the block, additions
  /// included.
  const Values& behind() const { return behind_; }

  /// Carry values along the skip, to the end of the block or to its start. If
  /// the block has no skip, all values become the least value.
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
