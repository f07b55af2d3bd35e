// Adding rows to a search (ExactSearch.h): which, how many at once, and how
// much of each.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {
size_t ExactSearch::rowsAtOnce() const {
  return std::max(kRefinement.rowsAtOnce,
                  (costToCome_->numValues() + costToGo_->numValues()) /
                      kRefinement.valuesPerRow);
}

Ticks ExactSearch::aim(const std::vector<Candidate>& missing,
                       Ticks wanted) const {
  std::vector<Ticks> bounds;
  for (const Candidate& candidate : missing) bounds.push_back(candidate.bound);
  auto nth = [&](size_t n) {
    auto found = bounds.begin() + std::min(n, bounds.size() - 1);
    std::nth_element(bounds.begin(), found, bounds.end());
    return *found;
  };
  Ticks most = nth(kRefinement.passedPerNarrow * kRefinement.narrowAtOnce *
                   priced_->numBlocks());
  Ticks few = std::max(std::min(wanted, most),
                       nth(kRefinement.passedPerWhole * rowsAtOnce()));
  // The bound is that at the ends of the chain, and may exceed bounds of
  // layouts.
  return few > bound_ ? few : wanted;
}

bool ExactSearch::addUpTo(Ticks threshold) {
  int64_t rowsBefore = rowsUsed_;
  Ticks before = std::exchange(threshold_, threshold);
  std::vector<RowKey> keys =
      cheapest(candidates(threshold), kRefinement.narrowAtOnce);
  addAll(keys, rowsAtOnce(), /*triesNarrow=*/true, /*prunesWide=*/false);
  liftParts(keys);
  threshold_ = before;
  return rowsUsed_ > rowsBefore;
}

bool ExactSearch::cover(Ticks threshold, double mostWork) {
  mostWork_ = work_ + mostWork;
  Ticks before = std::exchange(threshold_, std::max(threshold, threshold_));
  if (threshold > wideThreshold_) {
    // The search itself has reached its ceiling.
    if (threshold > before) refresh();
    wideThreshold_ = surviving_ ? threshold_ : kNever;
    wideCostToCome_ = costToCome_;
    wideCostToGo_ = costToGo_;
  }
  costToCome_ = wideCostToCome_;
  costToGo_ = wideCostToGo_;
  threshold_ = threshold;
  auto numLayouts = static_cast<double>(priced_->space().numLayouts());
  std::vector<Candidate> missing = candidates(threshold);
  if (static_cast<double>(missing.size()) * workPerNarrowRow_ > mostWork)
    mostWork_ = work_;
  const size_t fewest = missing.size() / kRefinement.mostRounds + 1;
  while (!missing.empty() && work_ < mostWork_) {
    // If all layouts that values pass have rows, values are carried in no time.
    // If not, as much work is done for rows as for the values that they then
    // bound.
    double carried =
        static_cast<double>(costToCome_->numValues() + costToGo_->numValues()) *
        numLayouts;
    size_t atOnce =
        std::max(fewest, static_cast<size_t>(carried / workPerNarrowRow_));
    if (atOnce > missing.size() / 2) atOnce = missing.size();
    auto affordable = static_cast<size_t>((mostWork_ - work_) / numLayouts);
    double workBefore = work_;
    int64_t rowsBefore = rowsUsed_;
    addAll(cheapest(std::move(missing), atOnce),
           std::min(atOnce / 2, affordable) + 1, /*triesNarrow=*/true,
           /*prunesWide=*/true);
    auto added = static_cast<double>(rowsUsed_ - rowsBefore);
    if (added > 0)
      workPerNarrowRow_ +=
          ((work_ - workBefore) / added - workPerNarrowRow_) / 2;
    narrow();
    carry();
    missing = candidates(threshold);
  }
  threshold_ = before;
  return missing.empty();
}

void ExactSearch::addRow(RowKey key) {
  Row whole;
  whole.ticks = row(key);
  rows_.set(key.first, key.second, std::move(whole));
  ++rowsUsed_;
}

bool ExactSearch::addAll(const std::vector<RowKey>& keys, size_t mostWide,
                         bool triesNarrow, bool prunesWide) {
  std::vector<std::vector<Layout>> byBlock(priced_->numBlocks());
  for (const RowKey& key : keys) byBlock[key.first].push_back(key.second);
  bool areAll = true;
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    std::vector<Layout> left = byBlock[block];
    if (left.empty()) continue;
    triesNarrow &=
        threshold_ < kNever && left.size() >= kRefinement.fewestNarrowRows;
    prunesWide |= threshold_ < kNever && !haveRoom(left.size());
    Values before;
    std::shared_ptr<const Values> behind;
    if (triesNarrow || prunesWide) {
      Surroundings around = surroundingsOf(block);
      before = std::move(around.before);
      behind = rows_.share(block, std::move(around.behind));
    }
    if (triesNarrow)
      left = addNarrowRows(block, left, before, behind, mostWide);
    // A wide row may become narrow when others have been added.
    areAll &= left.size() <= mostWide;
    left.resize(std::min(left.size(), mostWide));
    for (Layout from : left)
      if (prunesWide)
        addPart({block, from}, threshold_ - before[from], behind);
      else
        addRow({block, from});
  }
  return areAll && work_ <= mostWork_;
}

bool ExactSearch::haveRoom(size_t rows) const {
  auto added = static_cast<int64_t>(rows) * priced_->space().numLayouts();
  return rows_.numEntries() + added <= options_.mostEntries;
}

void ExactSearch::addPart(RowKey key, Ticks others,
                          std::shared_ptr<const Values> behind) {
  Values values = row(key);
  Row part;
  part.isWhole = false;
  for (size_t y = 0; y < values.size(); ++y)
    if (values[y] + (*behind)[y] <= others) {
      part.to.push_back(static_cast<Layout>(y));
      part.ticks.push_back(values[y]);
    }
  setPart(key, std::move(part), others, std::move(behind));
}

void ExactSearch::setPart(RowKey key, Row part, Ticks others,
                          std::shared_ptr<const Values> behind) {
  part.threshold = threshold_;
  part.others = others;
  part.behind = std::move(behind);
  raiseLifted(key, part);
  rows_.setPart(key.first, key.second, std::move(part));
  ++rowsUsed_;
}

ExactSearch::Surroundings ExactSearch::surroundingsOf(int64_t block) const {
  // One bound for all positions of the block: values after it, relative to the
  // least value there.
  size_t numLayouts = priced_->space().numLayouts();
  Surroundings around{Values(numLayouts, kNever), Values(numLayouts, kNever)};
  for (auto [position, offset] :
       valuePairsOf(*costToCome_, *costToGo_, placesOf(block), 1).all) {
    auto come = costToCome_->valuesAt(position);
    auto rest = costToGo_->valuesAt(position + 1);
    Ticks least = *std::min_element(rest->begin(), rest->end());
    offset += least;
    for (size_t i = 0; i < numLayouts; ++i) {
      around.behind[i] = std::min(around.behind[i], (*rest)[i] - least);
      around.before[i] = std::min(around.before[i], (*come)[i] + offset);
    }
  }
  return around;
}

std::vector<Layout> ExactSearch::addNarrowRows(
    int64_t block, const std::vector<Layout>& from, const Values& before,
    const std::shared_ptr<const Values>& behind, size_t mostWide) {
  size_t numLayouts = priced_->space().numLayouts();
  Values ending = *behind;
  for (size_t y = 0; y < numLayouts; ++y) ending[y] += priced_->addition()[y];
  NarrowRows rows(*priced_, moves(FewMoves::Direction::Forward), block,
                  std::make_shared<ResultsByOperand>(*priced_, block),
                  std::move(ending), Rows::firstOf(rows_.toAnchors(block)));
  Starts starts;
  for (Layout x : from) starts.push_back({x, threshold_ - before[x]});
  rows.expect(std::move(starts));
  work_ += static_cast<double>(numLayouts);
  std::vector<Layout> wide;
  size_t added = 0;
  for (Layout x : from) {
    // The widest rows are first; if most are wide, the others can wait.
    if (work_ > mostWork_ || wide.size() > mostWide + added) break;
    Ticks others = threshold_ - before[x];
    std::optional<Row> row =
        rows.row(x, others, numLayouts / kRefinement.partOfFew);
    work_ += static_cast<double>(rows.looked());
    if (!row) {
      wide.push_back(x);
      continue;
    }
    setPart({block, x}, std::move(*row), others, behind);
    ++added;
  }
  return wide;
}

Values ExactSearch::row(RowKey key) {
  Row row;
  row.ticks = rows_.countedRow(key.first, key.second);
  work_ += static_cast<double>(row.ticks.size());
  raiseLifted(key, row);
  return std::move(row.ticks);
}

}  // namespace sbp::search
