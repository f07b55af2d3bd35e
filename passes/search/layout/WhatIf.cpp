#include "passes/search/layout/WhatIf.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Rows that are computed beforehand, so that most pins need none.
constexpr int64_t kMoreRows = 512;

size_t leastIndex(const Values& values) {
  return std::min_element(values.begin(), values.end()) - values.begin();
}

}  // namespace

WhatIf::WhatIf(const PricedChain& priced, ExactSearch& search,
               int64_t maxRefined)
    : priced_(&priced), search_(&search), maxRefined_(maxRefined) {
  search.refresh(kMoreRows);
  carryCosts();
}

void WhatIf::carryCosts() {
  int64_t steps = priced_->numSteps();
  before_.resize(steps + 1);
  behind_.resize(steps + 1);
  auto rowsAt = [&](int64_t position) -> const std::map<Layout, Row>& {
    return search_->rows().ofBlock(priced_->blockAt(position));
  };
  for (int64_t p = 0; p < steps; ++p)
    for (const auto& [x, unused] : rowsAt(p))
      before_[p][x] = rangeOf(Side::Before, {p, x}).most;
  for (int64_t p = steps - 1; p >= 0; --p)
    for (const auto& [x, unused] : rowsAt(p))
      behind_[p][x] = rangeOf(Side::Behind, {p, x}).most;
}

WhatIf::Range WhatIf::rangeOf(Side side, Place place) {
  auto known = known_[static_cast<int>(side)].find(place);
  if (known != known_[static_cast<int>(side)].end()) return known->second;
  auto [position, layout] = place;
  bool isBefore = side == Side::Before;
  const Trail& trail = isBefore ? search_->forward() : search_->backward();
  Range range{trail.at(position, layout), kNever};
  int64_t end = isBefore ? 0 : priced_->numSteps();
  if (position == end || range.least == kNever) {
    range.most = range.least;
  } else if (isBefore) {
    const auto& rows = search_->rows().ofBlock(priced_->blockAt(position - 1));
    for (const auto& [x, cost] : before_[position - 1])
      range.most = std::min(range.most, cost + rows.at(x)[layout]);
  } else {
    const auto& rows = search_->rows().ofBlock(priced_->blockAt(position));
    auto row = rows.find(layout);
    if (row == rows.end()) return range;
    if (position + 1 == end) {
      for (size_t i = 0; i < row->second.ticks.size(); ++i)
        range.most =
            std::min(range.most, row->second.ticks[i] +
                                     trail.at(end, row->second.layoutAt(i)));
    }
    for (const auto& [y, cost] : behind_[position + 1])
      range.most = std::min(range.most, row->second[y] + cost);
  }
  return range;
}

Values WhatIf::bounds(Side side, int64_t position) const {
  const Trail& trail =
      side == Side::Before ? search_->forward() : search_->backward();
  Values values = *trail.valuesAt(position);
  for (Ticks& value : values) value += trail.offsetAt(position);
  const auto& known = known_[static_cast<int>(side)];
  for (auto place = known.lower_bound({position, 0});
       place != known.end() && place->first.first == position; ++place)
    values[place->first.second] = place->second.least;
  return values;
}

Values WhatIf::crossings(Side side, Place place) const {
  auto [position, layout] = place;
  return side == Side::Before
             ? search_->rows().countedColumn(priced_->blockAt(position - 1),
                                             layout)
             : search_->rows().countedRow(priced_->blockAt(position), layout);
}

WhatIf::Range WhatIf::refine(Side side, Place place) {
  Range range = rangeOf(side, place);
  if (range.isExact() || refined_ >= maxRefined_) return range;
  ++refined_;
  bool isBefore = side == Side::Before;
  Values crossing = crossings(side, place);
  int64_t next = isBefore ? place.first - 1 : place.first + 1;
  for (const auto& [layout, cost] : (isBefore ? before_ : behind_)[next])
    range.most = std::min(range.most, crossing[layout] + cost);
  while (true) {
    Values sums = bounds(side, next);
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += crossing[i];
    auto layout = static_cast<Layout>(leastIndex(sums));
    range.least = std::max(range.least, sums[layout]);
    Range rest = rangeOf(side, {next, layout});
    if (!rest.isExact()) {
      Ticks before = rest.least;
      rest = refine(side, {next, layout});
      range.most = std::min(range.most, crossing[layout] + rest.most);
      // It costs more than it seemed: another may cost less.
      if (rest.least > before) continue;
    }
    range.most = std::min(range.most, crossing[layout] + rest.most);
    range.most = std::max(range.most, range.least);
    break;
  }
  known_[static_cast<int>(side)][place] = range;
  return range;
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
  for (size_t y = 0; y < behind.size(); ++y)
    behind[y] += priced_->addition()[y];
  // `before` has the op's own cost.
  Values before = walk.takeLegBack(op, walk.runBack(op, values));
  for (int64_t last = op - 1; last >= 0; --last)
    before = walk.takeLegBack(last, walk.runBack(last, before));

  refined_ = 0;
  PinAnswer answer;
  answer.lowerBound = 0;
  while (true) {
    Values come = bounds(Side::Before, position);
    for (size_t x = 0; x < come.size(); ++x) come[x] += before[x];
    Values sums = pastBranch(walk, come);
    Values rest = bounds(Side::Behind, position + 1);
    for (size_t y = 0; y < sums.size(); ++y) sums[y] += behind[y] + rest[y];
    auto to = static_cast<Layout>(leastIndex(sums));
    if (sums[to] == kNever) return {};
    answer.lowerBound = std::max(answer.lowerBound, sums[to]);
    // Where it came from.
    if (walk.block().hasSkip) {
      Values skip = priced_->skipTo(to);
      for (size_t x = 0; x < come.size(); ++x) come[x] += skip[x];
    }
    auto from = static_cast<Layout>(leastIndex(come));
    Range beforeIt = rangeOf(Side::Before, {position, from});
    Range behindIt = rangeOf(Side::Behind, {position + 1, to});
    Ticks known = beforeIt.least + behindIt.least;
    beforeIt = refine(Side::Before, {position, from});
    behindIt = refine(Side::Behind, {position + 1, to});
    Ticks now = beforeIt.least + behindIt.least;
    answer.cost =
        std::min(answer.cost, sums[to] - known + beforeIt.most + behindIt.most);
    answer.refined = refined_;
    if (answer.isExact()) return answer;
    if (now != known && refined_ < maxRefined_) continue;
    // A plan through layouts with rows is one at least.
    come.assign(come.size(), kNever);
    for (const auto& [x, cost] : before_[position]) come[x] = before[x] + cost;
    sums = pastBranch(walk, std::move(come));
    for (size_t y = 0; y < sums.size(); ++y) sums[y] += behind[y];
    if (position + 1 == priced_->numSteps())
      for (size_t y = 0; y < sums.size(); ++y)
        answer.cost = std::min(answer.cost, sums[y] + rest[y]);
    for (const auto& [y, cost] : behind_[position + 1])
      answer.cost = std::min(answer.cost, sums[y] + cost);
    return answer;
  }
}

Values WhatIf::pastBranch(const Walk& walk, Values values) const {
  if (walk.block().hasSkip)
    priced_->terrain().wholeMoves().relax(priced_->skipTariff(), values);
  else
    std::fill(values.begin(), values.end(),
              *std::min_element(values.begin(), values.end()));
  return values;
}

}  // namespace sbp::search
