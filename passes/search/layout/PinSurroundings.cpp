// The blocks around a pin, crossed by narrow rows and columns (WhatIf.h).

#include <algorithm>
#include <optional>
#include <utility>

#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// Rows and columns for which more than this part of layouts would be looked at
/// one by one are swept.
constexpr size_t kPartOfFew = 16;

std::optional<Row> crossingsOf(NarrowRows& rows, Layout from, Ticks upTo,
                               size_t most) {
  return rows.row(from, upTo, most);
}

std::optional<Row> crossingsOf(NarrowColumns& columns, Layout to, Ticks upTo,
                               size_t most) {
  return columns.column(to, upTo, most);
}

}  // namespace

int64_t WhatIf::nearby(Side side, int64_t position) const {
  bool isBefore = side == Side::Before;
  // The block of a position is that which a tool crosses.
  auto blockOf = [&](int64_t p) {
    return priced_->blockAt(isBefore ? p : p - 1);
  };
  int64_t distance = isBefore ? position : priced_->numSteps() - position;
  // The next power of two, and from there the next with that block.
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

auto WhatIf::rowsBehind(int64_t position)
    -> std::pair<Tool<NarrowRows>*, Ticks> {
  int64_t block = priced_->blockAt(position);
  const Trail& rest = search_->backward();
  int64_t from = nearby(Side::Behind, position + 1);
  Ticks offset = rest.offsetAt(from) + above(Side::Behind, position + 1, from);
  ToolName name{block, rest.keyAt(from)};
  auto tool = rowTools_.find(name);
  if (tool != rowTools_.end()) return {&tool->second, offset};
  Values ending = *rest.valuesAt(from);
  for (size_t y = 0; y < ending.size(); ++y)
    ending[y] += priced_->addition()[y];
  SkipAnchor anchor{search_->rows().toAnchor(block)};
  Tool<NarrowRows> made{{*priced_, moves_, block, results_[block],
                         std::move(ending), std::move(anchor)}};
  tool = rowTools_.emplace(name, std::move(made)).first;
  return {&tool->second, offset};
}

auto WhatIf::columnsBefore(int64_t position)
    -> std::pair<Tool<NarrowColumns>*, Ticks> {
  int64_t block = priced_->blockAt(position - 1);
  const Trail& come = search_->forward();
  int64_t from = nearby(Side::Before, position - 1);
  Ticks offset = come.offsetAt(from) + above(Side::Before, position - 1, from);
  ToolName name{block, come.keyAt(from)};
  auto tool = columnTools_.find(name);
  if (tool != columnTools_.end()) return {&tool->second, offset};
  // With the skip apart some pins took 1.7 times as long; rows gain from it.
  SkipAnchor anchor{search_->rows().fromAnchor(block),
                    /*isCountedOnBranch=*/true};
  Tool<NarrowColumns> made{
      {*priced_, movesBack_, block, *come.valuesAt(from), std::move(anchor)}};
  tool = columnTools_.emplace(name, std::move(made)).first;
  return {&tool->second, offset};
}

template <typename Narrow>
auto WhatIf::narrowCrossings(Tool<Narrow>& tool, Ticks offset, Side side,
                             Place place, Ticks upTo)
    -> std::optional<Entries> {
  auto [known, isNew] = tool.listed.try_emplace(place.second);
  Listed& listed = known->second;
  Ticks least = leastOf(side, place);
  if (listed.upTo + offset < upTo) {
    if (upTo - least >= tool.gaveUp) return std::nullopt;
    // What is asked for again is likely to be asked for once more.
    Ticks further = isNew ? 0 : upTo - least;
    if (upTo + further - least >= tool.gaveUp) further = 0;
    std::optional<Row> row =
        crossingsOf(tool.narrow, place.second, upTo + further - offset,
                    priced_->space().numLayouts() / kPartOfFew);
    ++crossed_;
    if (!row) {
      tool.gaveUp = upTo + further - least;
      return narrowCrossings(tool, offset, side, place, upTo);
    }
    raiseAll(side, place, *row);
    listed = {upTo + further - offset, *std::move(row)};
  }
  return Entries{&listed.row, listed.upTo + offset};
}

void WhatIf::raiseAll(Side side, Place place, Row& row) const {
  auto [position, layout] = place;
  bool isBefore = side == Side::Before;
  int64_t block = priced_->blockAt(isBefore ? position - 1 : position);
  for (size_t i = 0; i < row.to.size(); ++i)
    row.ticks[i] = isBefore
                       ? raisedAnywhere(block, row.to[i], layout, row.ticks[i])
                       : raisedAnywhere(block, layout, row.to[i], row.ticks[i]);
}

auto WhatIf::crossings(Side side, Place place, Ticks upTo) -> Entries {
  std::optional<Entries> narrow;
  if (side == Side::Before) {
    auto [tool, offset] = columnsBefore(place.first);
    narrow = narrowCrossings(*tool, offset, side, place, upTo);
  } else {
    auto [tool, offset] = rowsBehind(place.first);
    narrow = narrowCrossings(*tool, offset, side, place, upTo);
  }
  if (narrow) return *narrow;
  auto [known, isNew] = whole_[static_cast<int>(side)].try_emplace(place);
  Listed& listed = known->second;
  if (listed.upTo < upTo) {
    listed.upTo = isNew ? upTo : 2 * upTo - leastOf(side, place);
    listed.row = wholeCrossings(side, place, listed.upTo);
    raiseAll(side, place, listed.row);
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
  for (auto& [name, tool] : rowTools_) tool.listed.clear();
  for (auto& [name, tool] : columnTools_) tool.listed.clear();
  for (auto& whole : whole_) whole.clear();
}

}  // namespace sbp::search
