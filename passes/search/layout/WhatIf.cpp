#include "passes/search/layout/WhatIf.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sbp::search {
namespace {

/// Number of layouts of each block that get rows beforehand.
constexpr size_t kMoreRows = 96;

/// First positions whose columns get an anchor beforehand, at a layout to which
/// pins probably lead: bounds are the least tight there.
constexpr int64_t kAnchored = 4;

/// A row or column is swept if more than one in this many layouts would be
/// visited one by one.
constexpr size_t kPartOfFew = 16;

}  // namespace

WhatIf::WhatIf(const PricedChain& priced, ExactSearch& search,
               int64_t maxCrossed)
    : priced_(&priced),
      search_(&search),
      maxCrossed_(maxCrossed),
      moves_(priced.terrain().wholeMoves()),
      movesBack_(priced.terrain().wholeMoves(), FewMoves::Direction::Backward),
      most_(priced.space().numLayouts() / kPartOfFew) {
  search.sharpen(kMoreRows);
  for (int64_t block = 0; block < priced.numBlocks(); ++block)
    results_.push_back(std::make_shared<ResultsByOperand>(priced, block));
  if (search.plan().empty()) return;
  carryCosts();
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    columnsBefore(p + 1);
    rowsBehind(p);
    int64_t block = priced.blockAt(p);
    if (namers_.count(block) == 0)
      namers_.try_emplace(block, priced, moves_, movesBack_, block,
                          search.surroundingsOf(block).behind);
  }
  for (int64_t p = 1; p <= std::min(kAnchored, priced.numSteps() - 1); ++p)
    columnsBefore(p).first->addAnchor(search.plan()[p]);
}

void WhatIf::carryCosts() {
  int64_t steps = priced_->numSteps();
  // Entries between layouts with rows, per pair of blocks.
  std::map<std::pair<int64_t, int64_t>, std::vector<Ticks>> between;
  auto entriesAt = [&](int64_t p) -> const std::vector<Ticks>& {
    int64_t block = priced_->blockAt(p);
    auto [known, isNew] = between.try_emplace({block, priced_->blockAt(p + 1)});
    if (isNew)
      for (const auto& [x, row] : rowsAt(p))
        for (const auto& [y, unused] : rowsAt(p + 1))
          known->second.push_back(raised(block, x, y, row.ticks[y]));
    return known->second;
  };
  before_.assign(steps, {});
  for (const auto& [x, unused] : rowsAt(0))
    before_[0].push_back(search_->forward().at(0, x));
  for (int64_t p = 0; p + 1 < steps; ++p) {
    auto entry = entriesAt(p).begin();
    before_[p + 1].assign(rowsAt(p + 1).size(), kNever);
    for (Ticks come : before_[p])
      for (Ticks& most : before_[p + 1]) most = std::min(most, come + *entry++);
  }
  behind_.assign(steps, {});
  for (const auto& [x, row] : rowsAt(steps - 1))
    behind_[steps - 1].push_back(mostBehindLast(x, row));
  for (int64_t p = steps - 2; p >= 0; --p) {
    auto entry = entriesAt(p).begin();
    for (size_t i = 0; i < rowsAt(p).size(); ++i) {
      Ticks most = kNever;
      for (Ticks rest : behind_[p + 1]) most = std::min(most, *entry++ + rest);
      behind_[p].push_back(most);
    }
    int64_t block = priced_->blockAt(p);
    Layout y = search_->plan()[p + 1];
    auto [column, isNew] = columns_.try_emplace({block, y});
    if (isNew) column->second = search_->rows().countedColumn(block, y);
  }
}

Ticks WhatIf::mostBehindLast(Layout layout, const Row& row) {
  const Trail& rest = search_->backward();
  int64_t steps = priced_->numSteps();
  int64_t block = priced_->blockAt(steps - 1);
  auto cheapest = [&](const Row& last) {
    auto tail = rest.valuesAt(steps);
    Ticks most = kNever;
    for (size_t y = 0; y < tail->size(); ++y)
      most = std::min(most, last.ticks[y] + (*tail)[y]);
    return most + rest.offsetAt(steps);
  };
  auto isOfRow = [&](auto known) {
    return known != raised_.end() && std::get<0>(known->first) == block &&
           std::get<1>(known->first) == layout;
  };
  auto known = raised_.lower_bound({block, layout, 0});
  if (!isOfRow(known)) {
    auto [most, isNew] = behindLast_.try_emplace(layout, kNever);
    if (isNew) most->second = cheapest(row);
    return most->second;
  }
  Row last = row;
  for (; isOfRow(known); ++known)
    last.raise(std::get<2>(known->first), known->second);
  return cheapest(last);
}

const Trail& WhatIf::trail(Side side) const {
  return side == Side::Before ? search_->forward() : search_->backward();
}

Ticks WhatIf::mostBefore(Place place) const {
  auto [position, layout] = place;
  Ticks most = kNever;
  size_t i = 0;
  for (const auto& [x, row] : rowsAt(position - 1))
    most = std::min(most, before_[position - 1][i++] +
                              raised(priced_->blockAt(position - 1), x, layout,
                                     row.ticks[layout]));
  return most;
}

Ticks WhatIf::mostBehind(Place place) const {
  auto [position, layout] = place;
  const std::map<Layout, Row>& rows = rowsAt(position);
  auto row = rows.find(layout);
  if (row != rows.end())
    return behind_[position][std::distance(rows.begin(), row)];
  if (position + 1 == priced_->numSteps()) return kNever;
  Layout next = search_->plan()[position + 1];
  int64_t block = priced_->blockAt(position);
  return raisedAnywhere(block, layout, next,
                        columns_.at({block, next})[layout]) +
         mostBehind({position + 1, next});
}

Ticks WhatIf::leastOf(Side side, Place place) const {
  const auto& all = known_[static_cast<int>(side)];
  auto known = all.find(place);
  return known != all.end() ? known->second.least
                            : trail(side).at(place.first, place.second);
}

WhatIf::Range WhatIf::rangeOf(Side side, Place place) const {
  const auto& all = known_[static_cast<int>(side)];
  auto known = all.find(place);
  if (known != all.end()) return known->second;
  Range range{trail(side).at(place.first, place.second), kNever};
  range.most = range.least == kNever ? kNever : mostOf(side, place);
  return range;
}

Ticks WhatIf::mostOf(Side side, Place place) const {
  bool isBefore = side == Side::Before;
  int64_t end = isBefore ? 0 : priced_->numSteps();
  if (place.first == end) return trail(side).at(end, place.second);
  return isBefore ? mostBefore(place) : mostBehind(place);
}

Values WhatIf::bounds(Side side, int64_t position) const {
  Values values = *trail(side).valuesAt(position);
  for (Ticks& value : values) value += trail(side).offsetAt(position);
  const auto& known = known_[static_cast<int>(side)];
  for (auto place = known.lower_bound({position, 0});
       place != known.end() && place->first.first == position; ++place)
    values[place->first.second] = place->second.least;
  return values;
}

auto WhatIf::raiseByBounds(Side side, Place place) -> Range& {
  Range& known = known_[static_cast<int>(side)]
                     .try_emplace(place, rangeOf(side, place))
                     .first->second;
  if (!known.isExact())
    known.least = std::max(known.least, leastListed(side, place));
  return known;
}

void WhatIf::raise(Side side, Place place, Ticks upTo) {
  Range& known = raiseByBounds(side, place);
  int64_t next = side == Side::Before ? place.first - 1 : place.first + 1;
  while (!known.isExact() && known.least <= upTo) {
    auto [row, listed] = crossings(side, place, upTo);
    if (crossed_ > maxCrossed_) return;
    // Costs are integers.
    Ticks least = std::floor(listed) + 1, across = 0;
    Layout cheapest = -1;
    for (size_t i = 0; i < row->to.size(); ++i) {
      Ticks cost = row->ticks[i] + leastOf(side, {next, row->to[i]});
      if (cost >= least) continue;
      least = cost;
      across = row->ticks[i];
      cheapest = row->to[i];
    }
    known.least = std::max(known.least, least);
    if (known.least > upTo) return;
    if (rangeOf(side, {next, cheapest}).isExact())
      known.most = known.least;
    else
      raise(side, {next, cheapest}, upTo - across);
  }
}

}  // namespace sbp::search
