// Search, following and naming of the cheapest plan with a pin (WhatIf.h).

#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// First fraction of the counted cost by which a way on named axes may cost
/// more, and its growth.
constexpr double kFirstPart = 1e-5;
constexpr Ticks kGrowth = 1.5;

/// Factor of the distance up to which costs outside are computed. It applies
/// each time that a cost turns out to be higher.
constexpr Ticks kFurther = 1.2;

}  // namespace

std::vector<Layout> WhatIf::follow(Side side, Place place, Ticks left) {
  bool isBefore = side == Side::Before;
  int64_t end = isBefore ? 0 : priced_->numSteps();
  const std::vector<Layout>& plan = search_->plan();
  std::vector<Layout> layouts = {place.second};
  while (place.first != end) {
    auto [position, layout] = place;
    // A cheapest way to a layout of the search's plan follows this plan.
    if (layout == plan[position] && left == trail(side).at(position, layout))
      break;
    int64_t next = isBefore ? position - 1 : position + 1;
    const Row& row = *crossings(side, place, left).row;
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

Ticks WhatIf::namedCrossing(int64_t block, Layout from, Layout to,
                            Ticks promised) {
  auto [known, isNew] = named_.try_emplace({block, from, to}, kNever);
  if (isNew)
    if (Crossings crossings = namers_.at(block).cheapestCrossings(
            from, to, promised, CrossingQuery().maxLooks))
      known->second = crossings->front().cost.ticks;
  return known->second;
}

Ticks WhatIf::nameOutside(Place from, Place to) {
  size_t numRaised = raised_.size();
  Ticks cost = nameOutside(Side::Before, from) + nameOutside(Side::Behind, to);
  if (raised_.size() > numRaised) raiseKnown();
  return cost;
}

Ticks WhatIf::nameOutside(Side side, Place place) {
  std::vector<Layout> layouts = follow(side, place, rangeOf(side, place).most);
  if (layouts.empty()) return kNever;
  bool isBefore = side == Side::Before;
  Ticks cost = 0;
  for (size_t i = 0; i + 1 < layouts.size(); ++i) {
    Place next{isBefore ? place.first - 1 : place.first + 1, layouts[i + 1]};
    Place from = isBefore ? next : place, to = isBefore ? place : next;
    int64_t block = priced_->blockAt(from.first);
    Ticks promised = rangeOf(side, place).most - rangeOf(side, next).most;
    Ticks named = namedCrossing(block, from.second, to.second, promised);
    cost += named;
    // If naming takes too long, the crossing is not known to cost more.
    if (named < kNever && named > promised)
      raised_[{block, from.second, to.second}] = named;
    place = next;
  }
  return cost + rangeOf(side, place).most;
}

Ticks WhatIf::raised(int64_t block, Layout from, Layout to, Ticks entry) const {
  auto known = raised_.find({block, from, to});
  return known == raised_.end() ? entry : std::max(entry, known->second);
}

Ticks WhatIf::raisedAnywhere(int64_t block, Layout from, Layout to,
                             Ticks counted) const {
  const std::map<Layout, Row>& rows = search_->rows().ofBlock(block);
  auto row = rows.find(from);
  if (row != rows.end() && row->second.isWhole)
    counted = std::max(counted, row->second.ticks[to]);
  return raised(block, from, to, counted);
}

Ticks WhatIf::nameInside(const Pin& pin, Layout from, Layout to) const {
  PinnedChain chain = withPins(priced_->chain(), {pin});
  PricedChain priced(*priced_, chain);
  Crossings crossings = cross(priced, priced.blockAt(pin.position), from, to);
  return crossings ? crossings->front().cost.ticks : kNever;
}

bool WhatIf::raiseOutside(NamedPin& named, int64_t position,
                          const NamedPin::Way& way, Ticks limit) {
  // The costs outside are lower bounds at first.
  Ticks above = std::min(limit - way.cost, further_);
  auto raised = [&](Side side, Place place, Ticks known) {
    if (raiseByBounds(side, place).least > known) return leastOf(side, place);
    raise(side, place, known + above);
    Ticks least = leastOf(side, place);
    if (least > known + further_) further_ *= kFurther;
    return least;
  };
  return named.raiseCome(
             way.from, raised(Side::Before, {position, way.from}, way.come)) ||
         named.raiseRest(
             way.to, raised(Side::Behind, {position + 1, way.to}, way.rest));
}

PinAnswer WhatIf::ask(const Pin& pin) {
  crossed_ = 0;
  forgetCrossings();
  PinnedWalk pinned(*priced_, pin);
  if (!pinned.canRun() || search_->plan().empty()) return {};
  int64_t position = pin.position;
  NamedPin named(*priced_, pinned, moves_, movesBack_,
                 bounds(Side::Before, position),
                 bounds(Side::Behind, position + 1));
  PinAnswer answer;
  NamedPin::Way found = named.counted();
  answer.lowerBound = found.cost;
  if (found.cost == kNever) return answer;
  Ticks limit = found.cost, slack = std::ceil(limit * kFirstPart);
  further_ = slack;
  while (true) {
    std::optional<NamedPin::Way> way = named.cheapest(limit);
    if (!way) {
      answer.cost = std::min(
          answer.cost,
          nameInside(pin, found.from, found.to) +
              nameOutside({position, found.from}, {position + 1, found.to}));
      break;
    }
    if (way->cost == kNever) {
      answer.lowerBound = limit;
      if (limit == kNever) break;
      // There may still be a way of higher cost.
      limit = slack < limit ? limit + slack : kNever;
      slack = std::ceil(slack * kGrowth);
      NamedPin::Way offered = named.offered(limit);
      while (offered.cost < kNever &&
             raiseOutside(named, position, offered, limit))
        offered = named.offered(limit);
      limit = std::min(limit, offered.cost);
      continue;
    }
    found = *way;
    answer.lowerBound = found.cost;
    if (raiseOutside(named, position, found, limit)) continue;
    size_t numRaised = raised_.size();
    Ticks inside = found.cost - found.come - found.rest;
    answer.cost = std::min(
        answer.cost,
        inside + nameOutside({position, found.from}, {position + 1, found.to}));
    // If counts promised too little outside, another way may be the cheapest.
    if (answer.isExact() || raised_.size() == numRaised) break;
  }
  answer.crossed = crossed_;
  return answer;
}

}  // namespace sbp::search
