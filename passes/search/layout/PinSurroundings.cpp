// The blocks around a pin, crossed by narrow rows and columns (WhatIf.h).

#include <algorithm>
#include <utility>

#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// Rows and columns for which more than this part of layouts would be looked at
/// one by one are swept.
constexpr size_t kPartOfFew = 16;

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

Row WhatIf::crossings(Side side, int64_t position, Layout layout,
                      Ticks budget) {
  ++crossed_;
  auto& asked = asked_[static_cast<int>(side)];
  auto [known, isNew] = asked.try_emplace({position, layout}, -kNever, Row());
  if (known->second.first < budget)
    known->second = {budget, countedCrossings(side, position, layout, budget)};
  Row row = known->second.second;
  bool isBefore = side == Side::Before;
  int64_t block = priced_->blockAt(isBefore ? position - 1 : position);
  for (size_t i = 0; i < row.to.size(); ++i)
    row.ticks[i] = isBefore
                       ? raisedAnywhere(block, row.to[i], layout, row.ticks[i])
                       : raisedAnywhere(block, layout, row.to[i], row.ticks[i]);
  return row;
}

Row WhatIf::countedCrossings(Side side, int64_t position, Layout layout,
                             Ticks budget) {
  bool isBefore = side == Side::Before;
  size_t most = priced_->space().numLayouts() / kPartOfFew;
  Ticks above = budget - leastOf(side, {position, layout});
  auto narrowed = [&](auto& tool, auto narrow) -> std::optional<Row> {
    if (above >= tool.gaveUp) return std::nullopt;
    std::optional<Row> row = narrow(tool.narrow);
    if (!row) tool.gaveUp = above;
    return row;
  };
  std::optional<Row> narrow;
  if (isBefore) {
    auto [tool, offset] = columnsBefore(position);
    narrow = narrowed(*tool, [&, offset = offset](NarrowColumns& columns) {
      return columns.column(layout, budget - offset, most);
    });
  } else {
    auto [tool, offset] = rowsBehind(position);
    narrow = narrowed(*tool, [&, offset = offset](NarrowRows& rows) {
      return rows.row(layout, budget - offset, most);
    });
  }
  if (narrow) return *std::move(narrow);
  int64_t next = isBefore ? position - 1 : position + 1;
  int64_t block = priced_->blockAt(std::min(position, next));
  const Rows& rows = search_->rows();
  Values whole = isBefore ? rows.countedColumn(block, layout)
                          : rows.countedRow(block, layout);
  Values rest = bounds(side, next);
  Row row;
  row.isWhole = false;
  for (size_t i = 0; i < whole.size(); ++i)
    if (whole[i] + rest[i] <= budget) {
      row.to.push_back(static_cast<Layout>(i));
      row.ticks.push_back(whole[i]);
    }
  return row;
}

}  // namespace sbp::search
