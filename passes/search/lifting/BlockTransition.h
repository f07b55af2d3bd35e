// Transitions of a block, for single axes. A transition is the branch and the
// skip of a block from one residual layout to another.
//
// Layouts count axes (LayoutSpace.h). Around a block with a skip connection
// counts may promise too much: the branch may give axes other roles than the
// skip does. Given the layout x at the start of the block, axes with different
// kinds in x are no longer alike. The renamings of axes that keep x are its
// stabiliser. It has an orbit of axes for each level and kind in x, and orbits
// of placements: a *stabiliser orbit* of y is the number of axes of each kind
// in y, per axis orbit. If branch and skip lead to the same stabiliser orbit of
// y, some naming of the axes serves both. So
//
//   M(x, y) = least over stabiliser orbits of y of branch + skip
//
// is exact (docs/search.md has the proof).
//
// There are many stabiliser orbits. They are visited one by one in the order of
// an A* search (TransitionSearch.h): for every layout the cost that is left by
// counts is known, and is a lower bound. So few layouts are examined beside
// those of the cheapest transitions.

#ifndef PASSES_SEARCH_LIFTING_BLOCKTRANSITION_H_
#define PASSES_SEARCH_LIFTING_BLOCKTRANSITION_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/symmetry/StabiliserSpace.h"

namespace sbp::search {

/// A step of a transition: a move of a tensor, or an op.
struct TransitionStep {
  enum class What { Move, Run } what = What::Move;
  int64_t index = 0;  // of the stage (BlockOperator.h), or of the op
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  StabiliserOrbit reached;
  double bytes = 0;  // bytes that the op keeps
  Storage storage = Storage::Z1;
};

/// A transition: its cost, and the steps of its branch and of its skip.
struct BlockTransition {
  TimeAndBytes cost;
  std::vector<AxisOrbit> axisOrbits;
  std::vector<TransitionStep> branch, skip;
};

/// The transitions that are wanted. Costs are time plus a price for every byte.
struct TransitionQuery {
  /// Whether all non-dominated transitions in time and bytes are wanted, or
  /// only the cheapest.
  bool wantsAll = false;
  /// Transitions that cost more are not returned.
  Ticks budget = kNever;
  /// Most stabiliser orbits that may be examined.
  int64_t maxLooks = 300'000;
};

/// Transitions for single axes, the cheapest first; nullopt if finding them
/// takes too long. Those of `transitionsOf` are of a block between two residual
/// layouts. Those of `headTransitions` lead from the head's first op to a
/// residual layout; their axis orbits are the kinds in this op's result. Those
/// of `tailTransitions` are of the tail.
using BlockTransitions = std::optional<std::vector<BlockTransition>>;
BlockTransitions transitionsOf(const PricedChain& priced, int64_t block,
                               Layout from, Layout to,
                               TransitionQuery query = {});
/// Does the same with known bounds: `left` has, per stage (BlockOperator.h),
/// the cost of the rest of the branch by counts. It must have all layouts that
/// transitions within the budget pass.
using FewByStage = std::vector<std::vector<std::pair<Layout, Ticks>>>;
BlockTransitions transitionsOf(const PricedChain& priced, int64_t block,
                               Layout from, Layout to, const FewByStage& left,
                               TransitionQuery query);
BlockTransitions headTransitions(const PricedChain& priced, Layout to,
                                 TransitionQuery query = {});
BlockTransitions tailTransitions(const PricedChain& priced, Layout from,
                                 TransitionQuery query = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_BLOCKTRANSITION_H_
