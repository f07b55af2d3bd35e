// The cheapest plan with a pin, followed and named (WhatIf.h).

#include <algorithm>

#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/WhatIf.h"

namespace sbp::search {
namespace {

/// How many ways through the pinned block are named, and how many layouts may
/// be looked at for each but the first.
constexpr int64_t kMostNamed = 24;
constexpr int64_t kMostLooks = 30'000;

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

std::vector<WhatIf::Pair> WhatIf::pairsBelow(const Pin& pin, Ticks limit) {
  int64_t position = pin.position;
  const Walk& walk = priced_->block(priced_->blockAt(position));
  Branch branch = branchesFrom(walk, pin.op, pin.result);
  Values come = bounds(Side::Before, position);
  for (size_t x = 0; x < come.size(); ++x) come[x] += branch.before[x];
  Values past = pastBranch(walk, come);
  Values rest = bounds(Side::Behind, position + 1);
  std::vector<Reached> behind, before;
  for (size_t y = 0; y < past.size(); ++y)
    if (past[y] + branch.behind[y] + rest[y] < limit)
      behind.push_back({static_cast<Layout>(y), past[y] + branch.behind[y]});
  std::vector<Ticks> ofBehind =
      explore(Side::Behind, position + 1, behind, limit);
  Values ending(come.size(), kNever);
  for (size_t i = 0; i < behind.size(); ++i)
    ending[behind[i].layout] = branch.behind[behind[i].layout] + ofBehind[i];
  Values left = pastBranchBack(walk, ending);
  for (size_t x = 0; x < come.size(); ++x)
    if (come[x] + left[x] < limit)
      before.push_back({static_cast<Layout>(x), branch.before[x] + left[x]});
  std::vector<Ticks> ofBefore = explore(Side::Before, position, before, limit);
  std::vector<Pair> pairs;
  FewValues skip(priced_->space().numLayouts());
  for (size_t i = 0; i < before.size(); ++i) {
    Layout x = before[i].layout;
    if (!(before[i].paid + ofBefore[i] < limit)) continue;
    Ticks paid = branch.before[x] + ofBefore[i];
    skip.clear();
    skip.lower(x, 0);
    if (walk.block().hasSkip)
      moves_.relax(priced_->skipTariff(), &left, limit - paid, Phase::MakeTerms,
                   come.size(), skip);
    for (const Reached& place : behind) {
      Layout y = place.layout;
      Ticks cost = paid + ending[y] + (walk.block().hasSkip ? skip[y] : 0);
      if (cost < limit)
        pairs.push_back(
            {cost, ofBefore[i] + ending[y] - branch.behind[y], x, y});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.counted, a.from, a.to) <
           std::tie(b.counted, b.from, b.to);
  });
  return pairs;
}

PinAnswer WhatIf::ask(const Pin& pin) {
  Passed passed = count(pin);
  PinAnswer& answer = passed.answer;
  answer.counted = answer.cost;
  if (answer.cost == kNever) return answer;
  PinnedChain chain = withPins(priced_->chain(), {pin});
  PricedChain priced(*priced_, chain);
  int64_t block = priced.blockAt(pin.position);
  answer.cost = kNever;
  int64_t named = 0;
  auto name = [&](Layout from, Layout to, Ticks budget) {
    CrossingQuery query;
    query.budget = budget;
    if (named > 0) query.maxLooks = kMostLooks;
    Crossings crossings = cross(priced, block, from, to, query);
    ++named;
    // Nothing within the budget, or not known.
    if (!crossings) return -kNever;
    return crossings->empty() ? kNever : crossings->front().cost.ticks;
  };
  Ticks inside = name(passed.from, passed.to, kNever);
  if (inside > -kNever)
    answer.cost = inside + nameOutside(pin, passed.from, passed.to);
  if (answer.isExact() || answer.lowerBound < answer.counted ||
      answer.cost == kNever)
    return answer;

  // Others that counts promise less for than that costs.
  Ticks least = answer.cost;
  for (const Pair& pair : pairsBelow(pin, answer.cost)) {
    if (!(pair.counted < std::min(least, answer.cost))) break;
    if (named >= kMostNamed) {
      least = std::min(least, pair.counted);
      break;
    }
    inside = name(pair.from, pair.to, answer.cost - pair.outside);
    if (inside == -kNever) {
      least = std::min(least, pair.counted);
      continue;
    }
    if (!(inside + pair.outside < answer.cost)) continue;
    least = std::min(least, inside + pair.outside);
    answer.cost =
        std::min(answer.cost, inside + nameOutside(pin, pair.from, pair.to));
  }
  if (crossed_ < maxCrossed_)
    answer.lowerBound =
        std::max(answer.lowerBound, std::min(least, answer.cost));
  return answer;
}

}  // namespace sbp::search
