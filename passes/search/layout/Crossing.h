// Passing a block when axes have names.
//
// Layouts count axes. Around a block with a skip connection counts may promise
// too much: the branch may bring the axes back in other roles than the skip
// does. Given where the block starts, x, axes with different kinds in x are no
// longer alike. *Colour* each axis by its kind in x, and count axes per level,
// colour and kind. If branch and skip lead to the same coloured layout of y,
// some naming of the axes serves both. So
//
//   M(x, y) = least over coloured layouts of y of branch + skip
//
// is exact for placements (docs/search.md has the proof).
//
// Coloured layouts are many, but those of one crossing are found one by one,
// the cheapest first, by A*: what is left to pay when colours are forgotten is
// known for every layout, and never too much. So little else is looked at than
// what cheapest crossings pass.

#ifndef PASSES_SEARCH_LAYOUT_CROSSING_H_
#define PASSES_SEARCH_LAYOUT_CROSSING_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/search/layout/ColouredSpace.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// A step on the way: a move of a tensor, or an op that runs.
struct CrossingStep {
  enum class What { Move, Run } what = What::Move;
  int64_t index = 0;  // of the leg, or of the op
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  ColouredLayout reached;
  double bytes = 0;  // that the op keeps
  Storage storage = Storage::Z1;
};

struct Crossing {
  TimeAndBytes cost;
  std::vector<Colour> colours;
  std::vector<CrossingStep> branch, skip;
};

/// Which crossings are looked for, where costs are time and a price for bytes.
struct CrossingQuery {
  /// The cheapest only, or all that no other beats in both time and bytes.
  bool wantsAll = false;
  /// Crossings that cost more are not looked for.
  Ticks budget = kNever;
  /// How many coloured layouts may be looked at.
  int64_t maxLooks = 300'000;
};

/// Crossings for real axes, cheapest first; nothing if they take too long to
/// find. `cross` passes a block between two residual layouts. `crossHead` says
/// how the head's result becomes a residual tensor; colours are kinds in what
/// its first op leaves. `crossTail` passes the tail.
using Crossings = std::optional<std::vector<Crossing>>;
Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, CrossingQuery query = {});
/// The same where it is known, per leg, what is left of the branch when colours
/// are forgotten: for those layouts at least that crossings within the budget
/// pass.
using FewOnLegs = std::vector<std::vector<std::pair<Layout, Ticks>>>;
Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, const FewOnLegs& left, CrossingQuery query);
Crossings crossHead(const PricedChain& priced, Layout to,
                    CrossingQuery query = {});
Crossings crossTail(const PricedChain& priced, Layout from,
                    CrossingQuery query = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_CROSSING_H_
