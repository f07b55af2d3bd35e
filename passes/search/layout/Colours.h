// What passing a block costs when axes have names.
//
// Layouts count axes. Around a block with a skip connection counts may promise
// too much: the branch may bring the axes back in other roles than the skip
// does. Given where the block starts, x, axes that have different kinds in x
// are no longer alike. *Colour* each axis by its kind in x, and count axes per
// level, colour and kind: what branch and skip lead to is the same coloured
// layout y only if some naming of the axes serves both. So
//
//   M(x, y) = least over coloured layouts of y of branch + skip
//
// is exact for placements (docs/search.md has the proof), and walks in the
// coloured space are the same code on a larger space.

#ifndef PASSES_SEARCH_LAYOUT_COLOURS_H_
#define PASSES_SEARCH_LAYOUT_COLOURS_H_

#include <memory>
#include <vector>

#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// One block, with axes told apart by their kinds in a residual layout.
class ColouredBlock {
 public:
  /// How many layouts the coloured space would have; as a double, as that may
  /// be very many.
  static double numLayouts(const PricedChain& priced, Layout from);

  ColouredBlock(const PricedChain& priced, int64_t block, Layout from);

  /// Per class of the coloured space, the class of the plain one, and the kind
  /// that its axes have in `from`.
  struct Colour {
    int64_t axisClass = 0;
    Kind kind = 0;
  };
  const std::vector<Colour>& colours() const { return colours_; }
  const Terrain& terrain() const { return *terrain_; }
  const Walk& walk() const { return *walk_; }

  /// Where the block starts, in the coloured space.
  Layout start() const { return start_; }
  /// What a coloured layout is when colours are forgotten.
  Layout plain(Layout coloured) const { return forgetWhole_[coloured]; }

  /// Branch, skip and addition, per coloured layout.
  Values values() const;

  /// The row M(from, .), per plain layout.
  Values row() const;

 private:
  static std::vector<Colour> coloursOf(const PricedChain& priced, Layout from);

  const PricedChain* priced_;
  bool hasSkip_;
  std::vector<Colour> colours_;
  std::unique_ptr<Terrain> terrain_;
  std::unique_ptr<Walk> walk_;
  std::vector<Layout> forgetWhole_;
  Layout start_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_COLOURS_H_
