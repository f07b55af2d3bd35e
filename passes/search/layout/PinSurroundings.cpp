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

std::pair<NarrowRows*, Ticks> WhatIf::rowsBehind(int64_t position) {
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
  auto made = rowTools_.emplace(
      std::piecewise_construct, std::forward_as_tuple(name),
      std::forward_as_tuple(*priced_, moves_, block, results_[block],
                            std::move(ending),
                            search_->rows().toAnchor(block)));
  return {&made.first->second, offset};
}

std::pair<NarrowColumns*, Ticks> WhatIf::columnsBefore(int64_t position) {
  int64_t block = priced_->blockAt(position - 1);
  const Trail& come = search_->forward();
  int64_t from = nearby(Side::Before, position - 1);
  Ticks offset = come.offsetAt(from) + above(Side::Before, position - 1, from);
  ToolName name{block, come.keyAt(from)};
  auto tool = columnTools_.find(name);
  if (tool != columnTools_.end()) return {&tool->second, offset};
  auto made = columnTools_.emplace(
      std::piecewise_construct, std::forward_as_tuple(name),
      std::forward_as_tuple(*priced_, movesBack_, block, *come.valuesAt(from),
                            search_->rows().fromAnchor(block)));
  return {&made.first->second, offset};
}

Row WhatIf::crossings(Side side, int64_t position, Layout layout,
                      Ticks budget) {
  bool isBefore = side == Side::Before;
  int64_t next = isBefore ? position - 1 : position + 1;
  int64_t block = priced_->blockAt(std::min(position, next));
  size_t most = priced_->space().numLayouts() / kPartOfFew;
  ++crossed_;
  std::optional<Row> narrow;
  Values whole;
  if (isBefore) {
    auto [columns, offset] = columnsBefore(position);
    narrow = columns->column(layout, budget - offset, most);
    if (!narrow) whole = search_->rows().countedColumn(block, layout);
  } else {
    auto [rows, offset] = rowsBehind(position);
    narrow = rows->row(layout, budget - offset, most);
    if (!narrow) whole = search_->rows().countedRow(block, layout);
  }
  Row row;
  row.isWhole = false;
  if (narrow) {
    row = std::move(*narrow);
  } else {
    Values rest = bounds(side, next);
    for (size_t i = 0; i < whole.size(); ++i)
      if (whole[i] + rest[i] <= budget) {
        row.to.push_back(static_cast<Layout>(i));
        row.ticks.push_back(whole[i]);
      }
  }
  for (size_t i = 0; i < row.to.size(); ++i)
    row.ticks[i] = isBefore
                       ? raisedAnywhere(block, row.to[i], layout, row.ticks[i])
                       : raisedAnywhere(block, layout, row.to[i], row.ticks[i]);
  return row;
}

}  // namespace sbp::search
