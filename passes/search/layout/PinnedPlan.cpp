// The cheapest plan with a pin, followed and named (WhatIf.h).

#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/NamedPin.h"
#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// By which part of what counts promise a way on named axes may cost more, at
/// first, and how that grows.
constexpr double kFirstPart = 1e-5;
constexpr Ticks kGrowth = 1.5;

}  // namespace

std::vector<Layout> WhatIf::follow(Side side, Place place, Ticks left) {
  bool isBefore = side == Side::Before;
  int64_t end = isBefore ? 0 : priced_->numSteps();
  const std::vector<Layout>& plan = search_->plan();
  std::vector<Layout> layouts = {place.second};
  while (place.first != end) {
    auto [position, layout] = place;
    // What leads to the plan of the search, leads along it.
    if (layout == plan[position] && left == trail(side).at(position, layout))
      break;
    int64_t next = isBefore ? position - 1 : position + 1;
    Row row = crossings(side, position, layout, left);
    bool isFound = false;
    for (size_t i = 0; i < row.to.size() && !isFound; ++i) {
      Range range = rangeOf(side, {next, row.to[i]});
      if (row.ticks[i] + range.most != left) continue;
      isFound = true;
      place = {next, row.to[i]};
      left = range.most;
    }
    if (!isFound) return {};
    layouts.push_back(place.second);
  }
  return layouts;
}

Ticks WhatIf::namedCrossing(int64_t block, Layout from, Layout to) {
  auto [known, isNew] = named_.try_emplace({block, from, to}, kNever);
  if (isNew)
    if (Crossings crossings = cross(*priced_, block, from, to))
      known->second = crossings->front().cost.ticks;
  return known->second;
}

Ticks WhatIf::nameOutside(const Pin& pin, Layout from, Layout to) {
  Range before = rangeOf(Side::Before, {pin.position, from});
  Range behind = rangeOf(Side::Behind, {pin.position + 1, to});
  std::vector<Layout> back =
      follow(Side::Before, {pin.position, from}, before.most);
  std::vector<Layout> ahead =
      follow(Side::Behind, {pin.position + 1, to}, behind.most);
  if (back.empty() || ahead.empty()) return kNever;
  Ticks cost = 0;
  int64_t position = pin.position;
  for (size_t i = 0; i + 1 < back.size(); ++i, --position)
    cost += namedCrossing(priced_->blockAt(position - 1), back[i + 1], back[i]);
  cost += rangeOf(Side::Before, {position, back.back()}).most;
  position = pin.position + 1;
  for (size_t i = 0; i + 1 < ahead.size(); ++i, ++position)
    cost += namedCrossing(priced_->blockAt(position), ahead[i], ahead[i + 1]);
  cost += rangeOf(Side::Behind, {position, ahead.back()}).most;
  return cost;
}

Ticks WhatIf::nameInside(const Pin& pin, Layout from, Layout to) const {
  PinnedChain chain = withPins(priced_->chain(), {pin});
  PricedChain priced(*priced_, chain);
  Crossings crossings = cross(priced, priced.blockAt(pin.position), from, to);
  return crossings ? crossings->front().cost.ticks : kNever;
}

PinAnswer WhatIf::ask(const Pin& pin) {
  crossed_ = 0;
  PinnedWalk pinned(*priced_, pin);
  if (!pinned.canRun() || search_->plan().empty()) return {};
  int64_t position = pin.position;
  NamedPin named(*priced_, pinned, bounds(Side::Before, position),
                 bounds(Side::Behind, position + 1));
  PinAnswer answer;
  NamedPin::Way found = named.counted();
  answer.lowerBound = found.cost;
  if (found.cost == kNever) return answer;
  Ticks limit = found.cost, slack = std::ceil(limit * kFirstPart);
  Ticks inside = kNever;
  while (true) {
    std::optional<NamedPin::Way> way = named.cheapest(limit);
    if (!way) {
      inside = nameInside(pin, found.from, found.to);
      break;
    }
    if (way->cost == kNever) {
      answer.lowerBound = limit;
      // Some way there is, but it may be a long one.
      limit = slack < limit ? limit + slack : kNever;
      slack *= kGrowth;
      continue;
    }
    found = *way;
    answer.lowerBound = found.cost;
    Range come = rangeOf(Side::Before, {position, found.from});
    Range rest = rangeOf(Side::Behind, {position + 1, found.to});
    inside = found.cost - come.least - rest.least;
    if ((come.isExact() && rest.isExact()) || crossed_ >= maxCrossed_) break;
    // What is known of the outside is a bound only. Costs are whole numbers.
    named.raiseCome(found.from,
                    explore(Side::Before, position,
                            {{found.from, found.cost - come.least}}, limit + 1)
                        .front());
    named.raiseRest(found.to,
                    explore(Side::Behind, position + 1,
                            {{found.to, found.cost - rest.least}}, limit + 1)
                        .front());
  }
  answer.cost = inside + nameOutside(pin, found.from, found.to);
  answer.crossed = crossed_;
  return answer;
}

}  // namespace sbp::search
