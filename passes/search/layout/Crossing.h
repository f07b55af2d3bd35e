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
};

struct Crossing {
  Ticks ticks = kNever;
  std::vector<Colour> colours;
  std::vector<CrossingStep> branch, skip;
};

/// The cheapest crossing of a block between two residual layouts, for real
/// axes; nothing if that takes more than `maxLooks` coloured layouts to find.
std::optional<Crossing> cross(const PricedChain& priced, int64_t block,
                              Layout from, Layout to, int64_t maxLooks);

/// How the head's result, lying as the first op leaves it at best, becomes a
/// residual tensor. Colours are the kinds in that first result.
std::optional<Crossing> crossHead(const PricedChain& priced, Layout to,
                                  int64_t maxLooks);

/// How a residual tensor passes the tail at best.
std::optional<Crossing> crossTail(const PricedChain& priced, Layout from,
                                  int64_t maxLooks);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_CROSSING_H_
