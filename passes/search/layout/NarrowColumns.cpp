#include "passes/search/layout/NarrowColumns.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

NarrowColumns::NarrowColumns(const PricedChain& priced, const FewMoves& moves,
                             int64_t block, Values coming,
                             std::shared_ptr<const Values> fromAnchor)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      coming_(std::move(coming)),
      fromAnchor_(std::move(fromAnchor)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {
  const Terrain& terrain = priced.terrain();
  const std::vector<Layout>& inWhole = terrain.settledInWhole();
  Values values = coming_;
  if (fromAnchor_)
    for (size_t x = 0; x < values.size(); ++x) values[x] -= (*fromAnchor_)[x];
  for (int64_t leg = 0; leg <= walk_->numOps(); ++leg) {
    terrain.wholeMoves().relax(walk_->tariff(leg), values);
    paid_.push_back(values);
    if (leg == walk_->numOps()) break;
    Values operand(inWhole.size());
    for (size_t i = 0; i < operand.size(); ++i) operand[i] = values[inWhole[i]];
    Values result = walk_->run(leg, operand);
    if (terrain.leavesTerms(walk_->block().ops[leg])) {
      values = std::move(result);
    } else {
      values.assign(values.size(), kNever);
      for (size_t i = 0; i < result.size(); ++i) values[inWhole[i]] = result[i];
    }
  }
}

bool NarrowColumns::follow(Layout to, Ticks budget, size_t most) {
  const Terrain& terrain = priced_->terrain();
  int64_t leg = walk_->numOps();
  now_.clear();
  now_.lower(to, 0);
  if (!moves_->relax(walk_->tariff(leg), &paid_[leg], budget, Phase::MakeTerms,
                     most, now_))
    return false;
  while (leg-- > 0) {
    bool leavesTerms = terrain.leavesTerms(walk_->block().ops[leg]);
    next_.clear();
    for (Layout result : now_.layouts()) {
      Layout own = leavesTerms ? result : terrain.settledOf(result);
      if (own < 0) continue;
      Layout operand = terrain.settledInWhole()[walk_->reads(leg)[own]];
      Ticks ticks = now_[result] + walk_->cost(leg)[own];
      if (ticks + paid_[leg][operand] <= budget) next_.lower(operand, ticks);
    }
    std::swap(now_, next_);
    if (!moves_->relax(walk_->tariff(leg), &paid_[leg], budget, Phase::Gather,
                       most, now_))
      return false;
  }
  return true;
}

std::optional<Row> NarrowColumns::column(Layout to, Ticks budget, size_t most) {
  auto fromAnchor = [&](Layout layout) {
    return fromAnchor_ ? (*fromAnchor_)[layout] : 0;
  };
  budget -= priced_->addition()[to];
  if (!follow(to, budget - fromAnchor(to), most)) return std::nullopt;
  Row column;
  column.isWhole = false;
  Ticks room = -kNever;
  for (Layout x : now_.layouts()) {
    Ticks rest = budget - now_[x] - coming_[x];
    if (!(rest >= std::max(0.0, fromAnchor(to) - fromAnchor(x)))) continue;
    column.to.push_back(x);
    room = std::max(room, rest + fromAnchor(x));
  }
  std::sort(column.to.begin(), column.to.end());
  bool hasSkip = walk_->block().hasSkip;
  if (hasSkip) {
    next_.clear();
    next_.lower(to, 0);
    if (!moves_->relax(priced_->skipTariff(), fromAnchor_.get(), room,
                       Phase::MakeTerms, most, next_))
      return std::nullopt;
  }
  size_t kept = 0;
  for (Layout x : column.to) {
    Ticks ticks = now_[x] + (hasSkip ? next_[x] : 0);
    if (!(ticks + coming_[x] <= budget)) continue;
    column.to[kept++] = x;
    column.ticks.push_back(ticks + priced_->addition()[to]);
  }
  column.to.resize(kept);
  return column;
}

}  // namespace sbp::search
