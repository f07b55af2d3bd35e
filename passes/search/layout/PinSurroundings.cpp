// Crossings of the blocks around a pin, by narrow rows and columns (WhatIf.h).

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// Returns distances as a potential of skips (NarrowSkip.h).
SkipPotential potentialOf(Values distances) {
  for (Ticks& distance : distances) distance = -distance;
  return std::make_shared<const Values>(std::move(distances));
}

}  // namespace

int64_t WhatIf::nearby(Side side, int64_t position) const {
  bool isBefore = side == Side::Before;
  // The block of whose crossings lists at `position` are.
  auto blockOf = [&](int64_t p) {
    return priced_->blockAt(isBefore ? p : p - 1);
  };
  int64_t distance = isBefore ? position : priced_->numSteps() - position;
  // The next power of two, and from there the next position of the same block.
  int64_t apart = 1;
  while (2 * apart <= distance) apart *= 2;
  for (int64_t d = apart; d < distance; ++d) {
    int64_t p = isBefore ? d : priced_->numSteps() - d;
    if (blockOf(p) == blockOf(position)) return p;
  }
  return position;
}

Ticks WhatIf::above(Side side, int64_t position, int64_t other) {
  const Trail& values = trail(side);
  Ticks offset = values.offsetAt(position) - values.offsetAt(other);
  auto [known, isNew] = above_[static_cast<int>(side)].try_emplace(
      {values.keyAt(position), values.keyAt(other)}, kNever);
  if (isNew) {
    auto here = values.valuesAt(position), there = values.valuesAt(other);
    for (size_t i = 0; i < here->size(); ++i)
      if ((*there)[i] < kNever)
        known->second = std::min(known->second, (*here)[i] - (*there)[i]);
  }
  return offset + known->second;
}

std::function<SkipAnchor(Layout)> WhatIf::anchorsOf(int64_t block,
                                                    SkipPotential ofSkip,
                                                    SkipsAt skipsAt) const {
  if (!priced_->block(block).block().hasSkip) return nullptr;
  return [this, ofSkip, skipsAt](Layout layout) {
    return SkipAnchor{ofSkip, potentialOf((priced_->*skipsAt)(layout))};
  };
}

auto WhatIf::rowsBehind(int64_t position)
    -> std::pair<NarrowLists<NarrowRows>*, Ticks> {
  int64_t block = priced_->blockAt(position);
  const Trail& rest = search_->backward();
  int64_t from = nearby(Side::Behind, position + 1);
  Ticks offset = rest.offsetAt(from) + above(Side::Behind, position + 1, from);
  ListsName name{block, rest.keyAt(from)};
  auto lists = rowLists_.find(name);
  if (lists != rowLists_.end()) return {&lists->second, offset};
  auto make = [this, block, from](SkipAnchor anchor) {
    Values ending = *search_->backward().valuesAt(from);
    for (size_t y = 0; y < ending.size(); ++y)
      ending[y] += priced_->addition()[y];
    return NarrowRows(*priced_, moves_, block, results_[block],
                      std::move(ending), std::move(anchor));
  };
  SkipPotential ofSkip = Rows::firstOf(search_->rows().toAnchors(block));
  auto anchorAt = anchorsOf(block, ofSkip, &PricedChain::skipFrom);
  NarrowLists<NarrowRows> made({make, anchorAt, most_}, {ofSkip, nullptr});
  lists = rowLists_.emplace(name, std::move(made)).first;
  return {&lists->second, offset};
}

auto WhatIf::columnsBefore(int64_t position)
    -> std::pair<NarrowLists<NarrowColumns>*, Ticks> {
  int64_t block = priced_->blockAt(position - 1);
  const Trail& come = search_->forward();
  int64_t from = nearby(Side::Before, position - 1);
  Ticks offset = come.offsetAt(from) + above(Side::Before, position - 1, from);
  ListsName name{block, come.keyAt(from)};
  auto lists = columnLists_.find(name);
  if (lists != columnLists_.end()) return {&lists->second, offset};
  auto make = [this, block, from](SkipAnchor anchor) {
    return NarrowColumns(*priced_, movesBack_, block,
                         *search_->forward().valuesAt(from), std::move(anchor));
  };
  SkipPotential ofSkip = Rows::firstOf(search_->rows().fromAnchors(block));
  auto anchorAt = anchorsOf(block, ofSkip, &PricedChain::skipTo);
  // With separate potentials some pins took 1.7 times as long; rows are faster
  // with them.
  NarrowLists<NarrowColumns> made({make, anchorAt, most_}, {ofSkip, ofSkip});
  lists = columnLists_.emplace(name, std::move(made)).first;
  return {&lists->second, offset};
}

void WhatIf::raiseRow(Side side, int64_t block, Layout layout, Row& row) const {
  for (size_t i = 0; i < row.to.size(); ++i)
    row.ticks[i] = side == Side::Before
                       ? raisedAnywhere(block, row.to[i], layout, row.ticks[i])
                       : raisedAnywhere(block, layout, row.to[i], row.ticks[i]);
}

void WhatIf::raiseKnown() {
  for (auto& [name, lists] : rowLists_)
    lists.raiseListed([&, block = name.first](Layout layout, Row& row) {
      raiseRow(Side::Behind, block, layout, row);
    });
  for (auto& [name, lists] : columnLists_)
    lists.raiseListed([&, block = name.first](Layout layout, Row& row) {
      raiseRow(Side::Before, block, layout, row);
    });
  carryCosts();
  for (Side side : {Side::Before, Side::Behind}) {
    for (auto& [place, listed] : whole_[static_cast<int>(side)])
      raiseRow(side, blockAt(side, place.first), place.second, listed.row);
    // The lower bound of a place is still valid, but the upper one may not be.
    for (auto& [place, range] : known_[static_cast<int>(side)])
      range.most = range.least == kNever ? kNever : mostOf(side, place);
  }
}

int64_t WhatIf::blockAt(Side side, int64_t position) const {
  return priced_->blockAt(side == Side::Before ? position - 1 : position);
}

Ticks WhatIf::leastListed(Side side, Place place) {
  auto least = [&](auto lists) {
    auto [list, offset] = lists;
    return list->least(place.second) + offset;
  };
  return side == Side::Before ? least(columnsBefore(place.first))
                              : least(rowsBehind(place.first));
}

auto WhatIf::crossings(Side side, Place place, Ticks upTo) -> Entries {
  Ticks known = leastOf(side, place);
  auto narrow = [&](auto lists) -> std::optional<Entries> {
    auto [list, offset] = lists;
    const ListedCrossings* listed =
        list->list(place.second, known - offset, upTo - offset, [&](Row& row) {
          raiseRow(side, blockAt(side, place.first), place.second, row);
          ++crossed_;
        });
    if (!listed) return std::nullopt;
    return Entries{&listed->row, listed->upTo + offset};
  };
  std::optional<Entries> found = side == Side::Before
                                     ? narrow(columnsBefore(place.first))
                                     : narrow(rowsBehind(place.first));
  if (found) return *found;
  auto [place_, isNew] = whole_[static_cast<int>(side)].try_emplace(place);
  ListedCrossings& listed = place_->second;
  if (listed.upTo < upTo) {
    listed.upTo = isNew ? upTo : 2 * upTo - known;
    listed.row = wholeCrossings(side, place, listed.upTo);
    raiseRow(side, blockAt(side, place.first), place.second, listed.row);
    ++crossed_;
  }
  return {&listed.row, listed.upTo};
}

Row WhatIf::wholeCrossings(Side side, Place place, Ticks upTo) const {
  auto [position, layout] = place;
  bool isBefore = side == Side::Before;
  int64_t next = isBefore ? position - 1 : position + 1;
  int64_t block = priced_->blockAt(std::min(position, next));
  const Rows& rows = search_->rows();
  Values whole = isBefore ? rows.countedColumn(block, layout)
                          : rows.countedRow(block, layout);
  Values rest = bounds(side, next);
  Row row;
  row.isWhole = false;
  for (size_t i = 0; i < whole.size(); ++i)
    if (whole[i] + rest[i] <= upTo) {
      row.to.push_back(static_cast<Layout>(i));
      row.ticks.push_back(whole[i]);
    }
  return row;
}

void WhatIf::forgetCrossings() {
  for (auto& [name, lists] : rowLists_) lists.forget();
  for (auto& [name, lists] : columnLists_) lists.forget();
  for (auto& whole : whole_) whole.clear();
}

}  // namespace sbp::search
