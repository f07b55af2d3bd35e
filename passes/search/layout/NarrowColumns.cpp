#include "passes/search/layout/NarrowColumns.h"

#include <utility>

#include "passes/search/layout/NarrowRows.h"

namespace sbp::search {

NarrowColumns::NarrowColumns(const PricedChain& priced, const FewMoves& moves,
                             int64_t block, Values coming,
                             std::shared_ptr<const Values> fromAnchor)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      skip_(priced, moves, block, std::move(coming), std::move(fromAnchor)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {
  const Terrain& terrain = priced.terrain();
  const std::vector<Layout>& inWhole = terrain.settledInWhole();
  Values values = skip_.outsideLessSkip();
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
  int64_t leg = walk_->numOps();
  now_.clear();
  now_.lower(to, 0);
  if (!moves_->relax(walk_->tariff(leg), &paid_[leg], budget, Phase::MakeTerms,
                     most, now_))
    return false;
  while (leg-- > 0) {
    runBackFew(priced_->terrain(), *walk_, leg, now_, paid_[leg], budget,
               next_);
    std::swap(now_, next_);
    if (!moves_->relax(walk_->tariff(leg), &paid_[leg], budget, Phase::Gather,
                       most, now_))
      return false;
  }
  return true;
}

std::optional<Row> NarrowColumns::column(Layout to, Ticks budget, size_t most) {
  Ticks addition = priced_->addition()[to];
  budget -= addition;
  if (!follow(to, budget - skip_.distance(to), most)) return std::nullopt;
  std::optional<Row> column = skip_.addTo(now_, to, budget, most, next_);
  if (!column) return std::nullopt;
  for (Ticks& ticks : column->ticks) ticks += addition;
  return column;
}

}  // namespace sbp::search
