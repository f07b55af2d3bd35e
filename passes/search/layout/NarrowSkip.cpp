#include "passes/search/layout/NarrowSkip.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

NarrowSkip::NarrowSkip(const PricedChain& priced, const FewMoves& moves,
                       int64_t block, Values outside, SkipAnchor anchor)
    : priced_(&priced),
      moves_(&moves),
      hasSkip_(priced.block(block).block().hasSkip),
      outside_(std::move(outside)),
      anchor_(hasSkip_ ? std::move(anchor) : SkipAnchor()) {}

Values NarrowSkip::outsideOfBranch() const {
  Values values = outside_;
  if (anchor_.onBranch)
    for (size_t i = 0; i < values.size(); ++i)
      values[i] -= (*anchor_.onBranch)[i];
  return values;
}

template <typename Skip>
Row NarrowSkip::withSkips(const FewValues& branch, std::vector<Layout> layouts,
                          Ticks budget, const Skip& skip) const {
  Row row;
  row.isWhole = false;
  size_t kept = 0;
  for (Layout x : layouts) {
    Ticks ticks = branch[x] + (hasSkip_ ? skip[x] : 0);
    if (!(ticks + outside_[x] <= budget)) continue;
    layouts[kept++] = x;
    row.ticks.push_back(ticks);
  }
  layouts.resize(kept);
  row.to = std::move(layouts);
  return row;
}

std::optional<Row> NarrowSkip::addTo(const FewValues& branch, Layout end,
                                     Ticks budget, size_t most,
                                     FewValues& skip) const {
  std::vector<Layout> layouts;
  Ticks room = -kNever;
  for (Layout x : branch.layouts()) {
    Ticks rest = budget - branch[x] - outside_[x];
    if (!(rest >= leastSkip(end, x))) continue;
    layouts.push_back(x);
    room = std::max(room, rest + potentialOf(anchor_.ofSkip, x));
  }
  std::sort(layouts.begin(), layouts.end());
  skip.clear();
  if (hasSkip_) {
    skip.lower(end, 0);
    if (!moves_->relax(priced_->skipTariff(), anchor_.ofSkip.get(), room,
                       Phase::MakeTerms, most, skip))
      return std::nullopt;
  }
  return withSkips(branch, std::move(layouts), budget, skip);
}

Row NarrowSkip::addWhole(const FewValues& branch, Layout end,
                         Ticks budget) const {
  std::vector<Layout> layouts = branch.layouts();
  std::sort(layouts.begin(), layouts.end());
  bool isBackward = moves_->direction() == FewMoves::Direction::Backward;
  return withSkips(branch, std::move(layouts), budget,
                   isBackward ? priced_->skipTo(end) : priced_->skipFrom(end));
}

}  // namespace sbp::search
