#include "passes/search/chain/NarrowSkip.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

NarrowSkip::NarrowSkip(const PricedChain& priced, const FewMoves& moves,
                       int64_t block, Values outside, SkipAnchor anchor)
    : priced_(&priced),
      moves_(&moves),
      hasSkip_(priced.block(block).block().hasSkip),
      outside_(std::move(outside)),
      anchor_(hasSkip_ ? std::move(anchor) : nullptr) {}

std::optional<Row> NarrowSkip::addTo(const FewValues& branch, Layout from,
                                     Ticks budget, size_t most,
                                     FewValues& skip) const {
  std::vector<Layout> layouts;
  Ticks room = -kNever;
  for (Layout to : branch.layouts()) {
    Ticks rest = budget - branch[to] - outside_[to];
    if (!(rest >= leastSkip(from, to))) continue;
    layouts.push_back(to);
    room = std::max(room, rest + toAnchor(to));
  }
  std::sort(layouts.begin(), layouts.end());
  skip.clear();
  if (hasSkip_) {
    skip.lower(from, 0);
    if (!moves_->relax(priced_->skipTariff(), anchor_.get(), room,
                       Phase::MakeTerms, most, skip))
      return std::nullopt;
  }
  Row row;
  row.isWhole = false;
  for (Layout to : layouts) {
    Ticks ticks = branch[to] + (hasSkip_ ? skip[to] : 0);
    if (!(ticks + outside_[to] <= budget)) continue;
    row.to.push_back(to);
    row.ticks.push_back(ticks);
  }
  return row;
}

}  // namespace sbp::search
