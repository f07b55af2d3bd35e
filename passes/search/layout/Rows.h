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
// Entries may be raised to what placements of axes cost (NamedRows.h),
// where counts of axes promise less.
//
// A row may be known in part: the entries that plans up to some reach can use.
// An entry was left out where what is paid at least before it, it, and what is
// left at least behind it are more than the reach; so it costs at least
//
//   M(x, y) > reach - before(x) - behind(y)
//
// That is little for a plan that passes one such entry, but much for a plan
// that passes one in every layer.

#ifndef PASSES_SEARCH_LAYOUT_ROWS_H_
#define PASSES_SEARCH_LAYOUT_ROWS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/ListedBlock.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Trail.h"

namespace sbp::search {

/// Where a row leads and for what, in order of layouts.
struct Row {
  bool isWhole = true;
  std::vector<Layout> to;  // empty if it is whole
  Values ticks;
  /// Entries are left out that only plans use that cost more.
  Ticks reach = kNever;
  /// What these cost at least, less what is left behind where they lead. Rows
  /// that were found together share the latter; null: nothing is known of them.
  Ticks others = kNever;
  std::shared_ptr<const Values> behind;

  /// Whether it has all entries that plans up to `ticks` use.
  bool holdsUpTo(Ticks ticks) const {
    return isWhole || (behind && reach >= ticks);
  }

  /// The entry for a layout; kNever if there is none.
  Ticks operator[](Layout layout) const;
  /// Raises an entry, if there is one that is below.
  void raise(Layout to, Ticks raised);
  /// The layout of the i-th entry.
  Layout layoutAt(std::size_t i) const {
    return isWhole ? static_cast<Layout>(i) : to[i];
  }
};

/// What plans within reach may use of a step over a block: the layouts it leads
/// to, and the moves of the branch. The latter are asked for before every step;
/// null: all.
struct StepWithin {
  const std::vector<Layout>& to;
  std::function<const ListedBlock*()> branch;
};

class Rows {
 public:
  /// How many groups of rows of a block bound what they leave out.
  static constexpr std::size_t kMostShared = 24;

  explicit Rows(const PricedChain& priced)
      : priced_(&priced),
        rows_(priced.numBlocks()),
        shared_(priced.numBlocks()),
        fromAnchors_(priced.numBlocks()),
        toAnchors_(priced.numBlocks()) {}

  /// The rows of a block, by layout.
  const std::map<Layout, Row>& ofBlock(int64_t block) const {
    return rows_[block];
  }
  /// Entries of all rows, and of those of a block.
  int64_t numEntries() const;
  int64_t numEntries(int64_t block) const;

  void set(int64_t block, Layout from, Row row) {
    rows_[block][from] = std::move(row);
  }
  /// The same of a row that is known in part. Entries that were known before
  /// stay: a plan may use them that is not settled yet.
  void setPart(int64_t block, Layout from, Row part);
  /// Raises an entry of a row that is there.
  void raise(int64_t block, Layout from, Layout to, Ticks ticks) {
    rows_[block].at(from).raise(to, ticks);
  }
  /// Lets bounds of a block count skips as well, by how far they lead from a
  /// layout or to it, an anchor: from x to y a skip takes no less than y is
  /// farther from one than x is, and no less than x is farther from another
  /// than y is. Values that are carried forward count the former, values that
  /// are carried back the latter. Without a skip there is nothing to count. Of
  /// several anchors the highest bound counts. Each takes a walk more; where
  /// steps lead to few layouts skips are counted once moves are listed.
  void addAnchorFrom(int64_t block, Layout from);
  void addAnchorTo(int64_t block, Layout to);
  void forgetAnchors(int64_t block);
  /// Distances of the skip from and to those layouts, in the order in which
  /// they were added.
  using Distances = std::vector<std::shared_ptr<const Values>>;
  const Distances& fromAnchors(int64_t block) const {
    return fromAnchors_[block];
  }
  const Distances& toAnchors(int64_t block) const { return toAnchors_[block]; }
  /// Null if there are none.
  static std::shared_ptr<const Values> firstOf(const Distances& distances) {
    return distances.empty() ? nullptr : distances.front();
  }
  /// Lets rows of a block that will be set share what is left behind it. Of
  /// those before only the last ones are kept: others bound nothing any more,
  /// and no longer hold up to anything.
  std::shared_ptr<const Values> share(int64_t block, Values behind);
  /// Forgets rows that are known in part.
  void eraseParts();

  /// M(from, .) of a block, for layouts that count axes.
  Values countedRow(int64_t block, Layout from) const;

  /// M(., to) of a block, likewise.
  Values countedColumn(int64_t block, Layout to) const;

  /// Carries values over a block, to all layouts or as far as plans up to
  /// `reach` matter; values of others are never.
  Values advance(int64_t block, const Values& values, Ticks reach,
                 const StepWithin* within = nullptr) const;
  Values retreat(int64_t block, const Values& values, Ticks reach,
                 const StepWithin* within = nullptr) const;

  /// Whether so many layouts are done sooner one by one than all side by side.
  bool areFew(size_t layouts) const;

 private:
  class LeftOut;

  /// To all layouts.
  Values advanceToAll(int64_t block, const Values& values, Ticks reach,
                      const StepWithin* within) const;
  Values retreatToAll(int64_t block, const Values& values, Ticks reach,
                      const StepWithin* within) const;
  /// To few.
  Values advanceTo(int64_t block, const Values& values, Ticks reach,
                   const StepWithin& within) const;
  Values retreatTo(int64_t block, const Values& values, Ticks reach,
                   const StepWithin& within) const;
  /// Bounds of what is carried over a block where there are no rows, and where
  /// rows leave something out; nothing if there are no such values.
  std::optional<Values> boundOthers(int64_t block, const Values& values,
                                    Ticks reach,
                                    const StepWithin* within) const;
  /// Bounds without any rows.
  Values boundAhead(int64_t block, const Values& values,
                    const StepWithin* within) const;
  Values boundBack(int64_t block, Values values,
                   const StepWithin* within) const;

  const PricedChain* priced_;
  std::vector<std::map<Layout, Row>> rows_;
  std::vector<std::deque<std::shared_ptr<const Values>>> shared_;
  std::vector<Distances> fromAnchors_, toAnchors_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_ROWS_H_
