// What it costs to pass a block from one residual layout to another: bounds for
// all pairs, and exact rows for some.
//
// A block costs M(x, y) = branch(x, y) + skip(x, y). The branch is a walk; but
// both together are no walk, since x must be known until y is. So all pairs are
// bounded from below by the branch alone, and the *rows* M(x, .) of some x are
// computed exactly, each by a walk from x alone. Values carried over the
// mixture, exact for layouts with rows and bounded for the others, are lower
// bounds.
//
// A row may be *coloured* (Colours.h): it then says what placements of axes
// cost, that M promises for counts of them.
//
// Rows keep only what a plan can use that takes no longer than a limit.

#ifndef PASSES_SEARCH_LAYOUT_ROWS_H_
#define PASSES_SEARCH_LAYOUT_ROWS_H_

#include <map>
#include <vector>

#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Trail.h"

namespace sbp::search {

/// Entries of a row: where it leads and for what, in order of layouts.
struct Row {
  std::vector<Layout> to;
  std::vector<Ticks> ticks;

  /// The entry for a layout; kNever if there is none.
  Ticks operator[](Layout layout) const;
};

class Rows {
 public:
  explicit Rows(const PricedChain& priced)
      : priced_(&priced), rows_(priced.numBlocks()) {}

  /// The rows of a block, by layout.
  const std::map<Layout, Row>& ofBlock(int64_t block) const {
    return rows_[block];
  }
  int64_t size() const;

  void set(int64_t block, Layout from, Row row) {
    rows_[block][from] = std::move(row);
  }
  void clear() { rows_.assign(rows_.size(), {}); }

  /// M(from, .) of a block, for layouts that count axes.
  Values countedRow(int64_t block, Layout from) const;

  /// Carries values over a block.
  Values advance(int64_t block, const Values& values) const;
  Values retreat(int64_t block, const Values& values) const;

 private:
  const PricedChain* priced_;
  std::vector<std::map<Layout, Row>> rows_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_ROWS_H_
