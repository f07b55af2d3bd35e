// How rows are added to a search: which, how many at once, and how much of
// each.

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "passes/search/layout/ExactSearch.h"

namespace sbp::search {
namespace {

/// How many rows of a block are added at least before bounds are computed anew.
constexpr size_t kRowsAtOnce = 8;

/// And one more for so many values of trails that are computed anew then.
constexpr size_t kValuesPerRow = 4;

/// From so many rows of a block on it pays to ask what is left in the block.
constexpr size_t kFewestNarrowRows = 4;

/// Rows for which more than this part of layouts would be looked at one by one
/// are swept.
constexpr size_t kPartOfFew = 3;

}  // namespace

size_t ExactSearch::rowsAtOnce() const {
  return std::max(
      kRowsAtOnce,
      (forward_->numValues() + backward_->numValues()) / kValuesPerRow);
}

void ExactSearch::addRow(RowName name) {
  Row whole{/*isWhole=*/true, {}, row(name)};
  bool fits = rows_.numEntries() + priced_->space().numLayouts() <=
              options_.mostEntries;
  rows_.set(
      name.first, name.second,
      fits || reach_ == kNever ? std::move(whole) : prune(name, whole.ticks));
  ++rowsUsed_;
}

bool ExactSearch::addAll(const std::vector<RowName>& names, size_t mostWide,
                         bool triesNarrow, bool prunesWide) {
  std::vector<std::vector<Layout>> byBlock(priced_->numBlocks());
  for (const RowName& name : names) byBlock[name.first].push_back(name.second);
  bool areAll = true;
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    std::vector<Layout> left = byBlock[block];
    triesNarrow &= reach_ < kNever && left.size() >= kFewestNarrowRows;
    Surroundings around;
    if (triesNarrow || prunesWide) around = surroundingsOf(block);
    if (triesNarrow) left = addNarrowRows(block, left, around);
    // Wide ones may be narrow when others are there.
    areAll &= left.size() <= mostWide;
    left.resize(std::min(left.size(), mostWide));
    for (Layout from : left)
      if (prunesWide)
        addPart({block, from}, around);
      else
        addRow({block, from});
  }
  return areAll;
}

void ExactSearch::addPart(RowName name, const Surroundings& around) {
  Values values = row(name);
  Ticks most = reach_ - around.before[name.second];
  Row part;
  part.isWhole = false;
  part.reach = reach_;
  for (size_t y = 0; y < values.size(); ++y)
    if (values[y] + around.behind[y] <= most) {
      part.to.push_back(static_cast<Layout>(y));
      part.ticks.push_back(values[y]);
    }
  rows_.set(name.first, name.second, std::move(part));
  ++rowsUsed_;
}

ExactSearch::Surroundings ExactSearch::surroundingsOf(int64_t block) const {
  // One bound for all positions where the block is: values behind it, up to
  // what they are at the layout that the plan has there.
  size_t numLayouts = priced_->space().numLayouts();
  Surroundings around{Values(numLayouts, kNever), Values(numLayouts, kNever)};
  std::set<std::tuple<int64_t, int64_t, Ticks>> seen;
  for (size_t p = 0; p < blocks_.size(); ++p) {
    if (blocks_[p] != block) continue;
    Ticks offset = forward_->offsetAt(p) + backward_->offsetAt(p + 1);
    if (!seen.insert({forward_->keyAt(p), backward_->keyAt(p + 1), offset})
             .second)
      continue;
    auto come = forward_->valuesAt(p), rest = backward_->valuesAt(p + 1);
    Ticks least = *std::min_element(rest->begin(), rest->end());
    offset += least;
    for (size_t i = 0; i < numLayouts; ++i) {
      around.behind[i] = std::min(around.behind[i], (*rest)[i] - least);
      around.before[i] = std::min(around.before[i], (*come)[i] + offset);
    }
  }
  return around;
}

std::vector<Layout> ExactSearch::addNarrowRows(int64_t block,
                                               const std::vector<Layout>& from,
                                               const Surroundings& around) {
  size_t numLayouts = priced_->space().numLayouts();
  Values ending = around.behind;
  for (size_t y = 0; y < numLayouts; ++y) ending[y] += priced_->addition()[y];
  NarrowRows rows(*priced_, moves(FewMoves::Direction::Forward), block,
                  std::make_shared<ResultsByOperand>(*priced_, block),
                  std::move(ending));
  work_ += static_cast<double>(numLayouts);
  std::vector<Layout> wide;
  for (size_t i = 0; i < from.size(); ++i) {
    std::optional<Row> row = rows.row(from[i], reach_ - around.before[from[i]],
                                      numLayouts / kPartOfFew);
    work_ += static_cast<double>(rows.looked());
    if (!row) {
      wide.push_back(from[i]);
      continue;
    }
    row->reach = reach_;
    raiseNamed({block, from[i]}, *row);
    rows_.set(block, from[i], std::move(*row));
    ++rowsUsed_;
  }
  return wide;
}

Values ExactSearch::row(RowName name) {
  Row row;
  row.ticks = rows_.countedRow(name.first, name.second);
  work_ += static_cast<double>(row.ticks.size());
  raiseNamed(name, row);
  return std::move(row.ticks);
}

Row ExactSearch::prune(RowName name, const Values& values) const {
  Values least(values.size(), kNever);
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t p = 0; p < blocks_.size(); ++p) {
    if (blocks_[p] != name.first) continue;
    if (!seen.insert({forward_->keyAt(p), backward_->keyAt(p + 1)}).second)
      continue;
    Ticks come = forward_->at(p, name.second) + backward_->offsetAt(p + 1);
    auto go = backward_->valuesAt(p + 1);
    for (size_t y = 0; y < values.size(); ++y)
      least[y] = std::min(least[y], come + (*go)[y]);
  }
  Row row;
  row.isWhole = false;
  row.reach = reach_;
  for (size_t y = 0; y < values.size(); ++y)
    if (values[y] < kNever && values[y] + least[y] <= reach_) {
      row.to.push_back(static_cast<Layout>(y));
      row.ticks.push_back(values[y]);
    }
  return row;
}

}  // namespace sbp::search
