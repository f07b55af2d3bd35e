// Crossings of a block by axes that have names. A crossing is the branch and
// the skip of a block from one residual layout to another.
//
// Layouts count axes (LayoutSpace.h). Around a block with a skip connection
// counts may promise too much: the branch may give axes other roles than the
// skip does. Given the layout x at the start of the block, axes with different
// kinds in x are no longer alike. *Colour* each axis by its kind in x, and
// count axes per level, colour and kind. If branch and skip lead to the same
// coloured layout of y, some naming of the axes serves both. So
//
//   M(x, y) = least over coloured layouts of y of branch + skip
//
// is exact for placements (docs/search.md has the proof).
//
// There are many coloured layouts. They are visited one by one in the order of
// an A* search (Road.h): for every layout the cost that is left without colours
// is known, and is a lower bound. So few layouts are examined beside those of
// the cheapest crossings.

#ifndef PASSES_SEARCH_LIFTING_CROSSING_H_
#define PASSES_SEARCH_LIFTING_CROSSING_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/symmetry/ColouredSpace.h"

namespace sbp::search {

/// A step of a crossing: a move of a tensor, or an op.
struct CrossingStep {
  enum class What { Move, Run } what = What::Move;
  int64_t index = 0;  // of the leg (Walk.h), or of the op
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  ColouredLayout reached;
  double bytes = 0;  // bytes that the op keeps
  Storage storage = Storage::Z1;
};

/// A crossing: its cost, and the steps of its branch and of its skip.
struct Crossing {
  TimeAndBytes cost;
  std::vector<Colour> colours;
  std::vector<CrossingStep> branch, skip;
};

/// The crossings that are wanted. Costs are time plus a price for every byte.
struct CrossingQuery {
  /// Whether all non-dominated crossings in time and bytes are wanted, or only
  /// the cheapest.
  bool wantsAll = false;
  /// Crossings that cost more are not returned.
  Ticks budget = kNever;
  /// Most coloured layouts that may be examined.
  int64_t maxLooks = 300'000;
};

/// Crossings for named axes, the cheapest first; nullopt if finding them takes
/// too long. `cross` crosses a block between two residual layouts. `crossHead`
/// leads from the head's first op to a residual layout; its colours are the
/// kinds in this op's result. `crossTail` crosses the tail.
using Crossings = std::optional<std::vector<Crossing>>;
Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, CrossingQuery query = {});
/// Does the same with known bounds: `left` has, per leg (Walk.h), the cost of
/// the rest of the branch without colours. It must have all layouts that
/// crossings within the budget pass.
using FewOnLegs = std::vector<std::vector<std::pair<Layout, Ticks>>>;
Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, const FewOnLegs& left, CrossingQuery query);
Crossings crossHead(const PricedChain& priced, Layout to,
                    CrossingQuery query = {});
Crossings crossTail(const PricedChain& priced, Layout from,
                    CrossingQuery query = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_CROSSING_H_
