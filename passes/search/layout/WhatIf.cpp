#include "passes/search/layout/WhatIf.h"

#include <algorithm>

namespace sbp::search {

WhatIf::WhatIf(const PricedChain& priced, ExactSearch& search)
    : priced_(&priced),
      search_(&search),
      head_(priced.headValues()),
      tail_(priced.tailValues()),
      to_(priced.numSteps()),
      from_(priced.numSteps()) {
  search.refresh();
  int64_t steps = priced.numSteps();
  for (int64_t p = 0; p < steps; ++p)
    for (const auto& [x, unused] : search.rows().ofBlock(priced.blockAt(p)))
      to_[p][x] = costTo(p, x);
  for (int64_t p = steps - 1; p >= 0; --p)
    for (const auto& [x, unused] : search.rows().ofBlock(priced.blockAt(p)))
      from_[p][x] = costFrom(p, x);
}

Ticks WhatIf::costTo(int64_t position, Layout layout) const {
  if (position == 0) return head_[layout];
  Ticks least = kNever;
  const auto& rows = search_->rows().ofBlock(priced_->blockAt(position - 1));
  for (const auto& [x, cost] : to_[position - 1])
    least = std::min(least, cost + rows.at(x)[layout]);
  return least;
}

const Row& WhatIf::rowOf(int64_t block, Layout from) {
  const auto& rows = search_->rows().ofBlock(block);
  auto known = rows.find(from);
  if (known != rows.end()) return known->second;
  auto [added, isNew] = newRows_.try_emplace({block, from});
  if (isNew)
    added->second = {
        /*isWhole=*/true, {}, search_->rows().countedRow(block, from)};
  return added->second;
}

Ticks WhatIf::costFrom(int64_t position, Layout layout) {
  if (position == priced_->numSteps()) return tail_[layout];
  const Row& row = rowOf(priced_->blockAt(position), layout);
  Ticks least = kNever;
  if (position + 1 == priced_->numSteps()) {
    for (size_t i = 0; i < row.ticks.size(); ++i)
      least = std::min(least, row.ticks[i] + tail_[row.layoutAt(i)]);
    return least;
  }
  for (const auto& [y, cost] : from_[position + 1])
    least = std::min(least, row[y] + cost);
  return least;
}

PinAnswer WhatIf::pin(int64_t position, int64_t op, Layout result) {
  const Walk& walk = priced_->block(priced_->blockAt(position));
  const LayoutSpace& space = priced_->space();
  Ticks own = walk.costInWhole(op, result);
  if (own == kNever) return {};
  // From the pinned state to both ends of the block.
  Values only(space.numLayouts(), kNever);
  only[result] = 0;
  Values values = walk.resultsOf(op, only);
  Values behind = walk.takeLeg(op + 1, values);
  for (int64_t next = op + 1; next < walk.numOps(); ++next)
    behind = walk.takeLeg(next + 1, walk.run(next, behind));
  Values before = walk.takeLegBack(op, walk.runBack(op, values));
  for (int64_t last = op - 1; last >= 0; --last)
    before = walk.takeLegBack(last, walk.runBack(last, before));

  // `before` has the op's own cost.
  const Trail& forward = search_->forward();
  const Trail& backward = search_->backward();
  Values come(before.size());
  for (size_t x = 0; x < come.size(); ++x)
    come[x] = before[x] + forward.at(position, x);
  Values around = pastBranch(walk, come);
  PinAnswer answer;
  Layout bounding = 0;
  for (Layout y = 0; y < space.numLayouts(); ++y) {
    Ticks cost = around[y] + behind[y] + priced_->addition()[y] +
                 backward.at(position + 1, y);
    if (cost < answer.lowerBound) {
      answer.lowerBound = cost;
      bounding = y;
    }
  }
  if (answer.lowerBound == kNever) return answer;

  // The same with exact costs before and behind. Behind, they are known where
  // there are rows, and found for the layout that attains the bound.
  come = costsTo(position);
  for (size_t x = 0; x < come.size(); ++x) come[x] += before[x];
  around = pastBranch(walk, std::move(come));
  auto take = [&](Layout y, Ticks rest) {
    answer.cost = std::min(
        answer.cost, around[y] + behind[y] + priced_->addition()[y] + rest);
  };
  take(bounding, costFrom(position + 1, bounding));
  if (position + 1 == priced_->numSteps())
    for (size_t y = 0; y < tail_.size(); ++y)
      take(static_cast<Layout>(y), tail_[y]);
  else
    for (const auto& [y, rest] : from_[position + 1]) take(y, rest);
  return answer;
}

Values WhatIf::pastBranch(const Walk& walk, Values values) const {
  if (walk.block().hasSkip)
    priced_->terrain().wholeMoves().relax(priced_->skipTariff(), values);
  else
    std::fill(values.begin(), values.end(),
              *std::min_element(values.begin(), values.end()));
  return values;
}

Values WhatIf::costsTo(int64_t position) const {
  if (position == 0) return head_;
  Values costs(head_.size(), kNever);
  const auto& rows = search_->rows().ofBlock(priced_->blockAt(position - 1));
  for (const auto& [from, cost] : to_[position - 1]) {
    const Row& row = rows.at(from);
    for (size_t i = 0; i < row.ticks.size(); ++i) {
      Ticks& least = costs[row.layoutAt(i)];
      least = std::min(least, cost + row.ticks[i]);
    }
  }
  return costs;
}

}  // namespace sbp::search
