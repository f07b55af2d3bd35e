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
      anchor_(std::move(anchor)) {}

Values NarrowSkip::outsideOfBranch() const {
  Values values = outside_;
  if (anchor_.distances && anchor_.isCountedOnBranch)
    for (size_t i = 0; i < values.size(); ++i)
      values[i] -= (*anchor_.distances)[i];
  return values;
}

std::optional<Row> NarrowSkip::addTo(const FewValues& branch, Layout end,
                                     Ticks budget, size_t most,
                                     FewValues& skip) const {
  Row row;
  row.isWhole = false;
  Ticks room = -kNever;
  for (Layout x : branch.layouts()) {
    Ticks rest = budget - branch[x] - outside_[x];
    if (!(rest >= std::max(0.0, distance(end) - distance(x)))) continue;
    row.to.push_back(x);
    room = std::max(room, rest + distance(x));
  }
  std::sort(row.to.begin(), row.to.end());
  skip.clear();
  if (hasSkip_) {
    skip.lower(end, 0);
    if (!moves_->relax(priced_->skipTariff(), anchor_.distances.get(), room,
                       Phase::MakeTerms, most, skip))
      return std::nullopt;
  }
  size_t kept = 0;
  for (Layout x : row.to) {
    Ticks ticks = branch[x] + (hasSkip_ ? skip[x] : 0);
    if (!(ticks + outside_[x] <= budget)) continue;
    row.to[kept++] = x;
    row.ticks.push_back(ticks);
  }
  row.to.resize(kept);
  return row;
}

}  // namespace sbp::search
