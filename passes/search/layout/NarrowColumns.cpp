#include "passes/search/layout/NarrowColumns.h"

#include <utility>

#include "passes/search/layout/NarrowRows.h"

namespace sbp::search {

NarrowColumns::NarrowColumns(const PricedChain& priced, const FewMoves& moves,
                             int64_t block, Values coming,
                             SkipAnchor fromAnchor)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      skip_(priced, moves, block, std::move(coming), std::move(fromAnchor)),
      paid_(walk_->paidOnLegs(walk_->numOps(), skip_.outsideOfBranch())),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {}

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
  if (!follow(to, budget - skip_.countedOnBranch(to), most))
    return std::nullopt;
  std::optional<Row> column = skip_.addTo(now_, to, budget, most, next_);
  if (!column) column = skip_.addWhole(now_, to, budget);
  for (Ticks& ticks : column->ticks) ticks += addition;
  return column;
}

}  // namespace sbp::search
