#include "passes/search/lifting/Crossing.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "passes/search/lifting/Road.h"
#include "passes/search/symmetry/ColouredSpace.h"

namespace sbp::search {
namespace {

std::vector<const Tariff*> tariffsOf(const Walk& walk) {
  std::vector<const Tariff*> tariffs;
  for (int64_t leg = 0; leg <= walk.numOps(); ++leg)
    tariffs.push_back(&walk.tariff(leg));
  return tariffs;
}

Ticks scalar(const PricedChain& priced, const TimeAndBytes& cost) {
  return cost.ticks + priced.bytePrice() * cost.bytes;
}

/// Returns the cheapest crossing, or the non-dominated ones in ascending order
/// of cost.
std::vector<Crossing> best(const PricedChain& priced, bool wantsAll,
                           std::vector<Crossing> crossings) {
  std::sort(crossings.begin(), crossings.end(),
            [&](const Crossing& a, const Crossing& b) {
              Ticks costOfA = scalar(priced, a.cost);
              Ticks costOfB = scalar(priced, b.cost);
              return std::tie(costOfA, a.cost.bytes) <
                     std::tie(costOfB, b.cost.bytes);
            });
  std::vector<Crossing> kept;
  for (Crossing& crossing : crossings) {
    bool isBeaten =
        std::any_of(kept.begin(), kept.end(), [&](const Crossing& other) {
          return !wantsAll || (other.cost.ticks <= crossing.cost.ticks &&
                               other.cost.bytes <= crossing.cost.bytes);
        });
    if (!isBeaten) kept.push_back(std::move(crossing));
  }
  return kept;
}

/// Takes ways of a road (Road.h) to its end: the cheapest one, or all. Returns
/// false if that takes too many looks.
bool follow(Road& road, bool wantsAll, int64_t& looks,
            std::vector<Road::Goal>& goals) {
  while (std::optional<Road::Goal> goal = road.next(looks)) {
    goals.push_back(*goal);
    if (!wantsAll) return true;
  }
  return road.isExhausted();
}

template <typename OfLeg>
std::vector<LeftOnLeg> leftOf(const std::vector<OfLeg>& legs) {
  return {legs.begin(), legs.end()};
}

Crossings crossOver(const PricedChain& priced, int64_t block, Layout from,
                    Layout to, std::vector<LeftOnLeg> left,
                    CrossingQuery query) {
  const Walk& walk = priced.block(block);
  Keep keep = query.wantsAll ? Keep::Unbeaten : Keep::Cheapest;
  ColouredSpace space(priced.space(), from);
  Ticks addition = priced.addition()[to];
  Values skipLeft;
  if (walk.block().hasSkip) skipLeft = priced.skipTo(to);
  RoadMap map{&walk,
              &priced.blockTables(block),
              tariffsOf(walk),
              std::move(left),
              0,
              walk.numOps(),
              to};
  Ticks leastBranch = map.left[0][from];
  Ticks leastSkip = skipLeft.empty() ? 0 : skipLeft[from];
  Road branch(space, priced, std::move(map), keep,
              query.budget - addition - leastSkip);
  auto made = [&](const Road::Goal& goal, Ticks skipTicks) {
    TimeAndBytes cost = goal.cost;
    cost.ticks += skipTicks + addition;
    return Crossing{cost, space.colours(), branch.stepsTo(goal.node), {}};
  };
  if (!walk.block().hasSkip) {
    std::vector<Road::Goal> goals;
    if (!follow(branch, query.wantsAll, query.maxLooks, goals))
      return std::nullopt;
    std::vector<Crossing> found;
    for (const Road::Goal& goal : goals) found.push_back(made(goal, 0));
    return best(priced, query.wantsAll, std::move(found));
  }
  Road skip(space, priced,
            RoadMap{nullptr,
                    nullptr,
                    {&priced.skipTariff()},
                    {LeftOnLeg(std::move(skipLeft))},
                    0,
                    0,
                    to},
            Keep::Cheapest, query.budget - addition - leastBranch);

  // Both roads lead to coloured layouts of `to`, the cheapest first. They are
  // followed in turn until no missing pair can cost less.
  std::map<ColouredLayout, std::vector<Road::Goal>> byBranch;
  std::map<ColouredLayout, Road::Goal> bySkip;
  Ticks lastBranch = leastBranch, lastSkip = leastSkip;
  Ticks limit = query.budget - addition;
  bool branchGoesOn = true, skipGoesOn = true;
  std::vector<std::pair<Road::Goal, Road::Goal>> pairs;
  auto pair = [&](const Road::Goal& goal, const Road::Goal& around) {
    Ticks cost = scalar(priced, goal.cost) + around.cost.ticks;
    if (!query.wantsAll) {
      if (!(cost < limit)) return;
      limit = cost;
      pairs.clear();
    }
    if (cost <= limit) pairs.push_back({goal, around});
  };
  while (true) {
    bool branchMatters = branchGoesOn && lastBranch + leastSkip <= limit;
    bool skipMatters = skipGoesOn && lastSkip + leastBranch <= limit;
    if (!pairs.empty() && !query.wantsAll) {
      branchMatters &= lastBranch + leastSkip < limit;
      skipMatters &= lastSkip + leastBranch < limit;
    }
    if (!branchMatters && !skipMatters) break;
    // Follow the road that is less far from its cheapest end; if equal, the one
    // with fewer known ends.
    auto branchAt = std::pair(lastBranch - leastBranch, byBranch.size());
    auto skipAt = std::pair(lastSkip - leastSkip, bySkip.size());
    bool takesBranch = branchMatters && (!skipMatters || branchAt <= skipAt);
    Road& road = takesBranch ? branch : skip;
    std::optional<Road::Goal> goal = road.next(query.maxLooks);
    if (!goal) {
      if (!road.isExhausted()) return std::nullopt;
      (takesBranch ? branchGoesOn : skipGoesOn) = false;
      continue;
    }
    const ColouredLayout& layout = road.layoutOf(goal->node);
    (takesBranch ? lastBranch : lastSkip) = scalar(priced, goal->cost);
    if (takesBranch) {
      byBranch[layout].push_back(*goal);
      auto match = bySkip.find(layout);
      if (match != bySkip.end()) pair(*goal, match->second);
    } else if (bySkip.emplace(layout, *goal).second) {
      for (const Road::Goal& other : byBranch[layout]) pair(other, *goal);
    }
  }
  std::vector<Crossing> found;
  for (const auto& [goal, around] : pairs) {
    found.push_back(made(goal, around.cost.ticks));
    found.back().skip = skip.stepsTo(around.node);
  }
  return best(priced, query.wantsAll, std::move(found));
}

}  // namespace

Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, CrossingQuery query) {
  const Walk& walk = priced.block(block);
  Values end = onlyAt(to, priced.space().numLayouts());
  return crossOver(priced, block, from, to,
                   leftOf(walk.leftOnLegs(0, walk.numOps(), std::move(end))),
                   query);
}

Crossings cross(const PricedChain& priced, int64_t block, Layout from,
                Layout to, const FewOnLegs& left, CrossingQuery query) {
  return crossOver(priced, block, from, to, leftOf(left), query);
}

Crossings crossHead(const PricedChain& priced, Layout to, CrossingQuery query) {
  const Walk& walk = priced.head();
  Ticks addition = priced.addition()[to];
  std::vector<Values> left = walk.leftOnLegs(
      0, walk.numOps(), onlyAt(to, priced.space().numLayouts()));
  // The first op may have any result.
  Ticks least = kNever;
  for (Layout y = 0; y < priced.space().numLayouts(); ++y)
    least = std::min(least, walk.costInWhole(0, y) + left[1][y]);
  Ticks most = query.wantsAll ? query.budget - addition : least;
  std::vector<Crossing> found;
  for (Layout first = 0; first < priced.space().numLayouts(); ++first) {
    if (!(walk.costInWhole(0, first) + left[1][first] <= most)) continue;
    Layout own = first;
    if (!priced.terrain().leavesTerms(priced.chain().head.ops[0]))
      own = priced.terrain().settledOf(first);
    ColouredSpace space(priced.space(), first);
    for (const OpTable::Way& way : priced.headTables()[0].ways) {
      if (way.ticks[own] == kNever) continue;
      TimeAndBytes start{way.ticks[own],
                         way.bytes.empty() ? 0 : way.bytes[own]};
      Road road(space, priced,
                RoadMap{&walk, &priced.headTables(), tariffsOf(walk),
                        leftOf(left), 1, walk.numOps(), to},
                query.wantsAll ? Keep::Unbeaten : Keep::Cheapest,
                query.budget - addition - scalar(priced, start));
      std::vector<Road::Goal> goals;
      if (!follow(road, query.wantsAll, query.maxLooks, goals))
        return std::nullopt;
      CrossingStep run = {
          CrossingStep::What::Run, 0,           Phase::Slice, 0, 1, start.ticks,
          space.start(),           start.bytes, way.storage};
      for (const Road::Goal& goal : goals) {
        std::vector<CrossingStep> steps = road.stepsTo(goal.node);
        steps.insert(steps.begin(), run);
        found.push_back({{goal.cost.ticks + start.ticks + addition,
                          goal.cost.bytes + start.bytes},
                         space.colours(),
                         std::move(steps),
                         {}});
      }
    }
    if (!query.wantsAll) break;
  }
  return best(priced, query.wantsAll, std::move(found));
}

Crossings crossTail(const PricedChain& priced, Layout from,
                    CrossingQuery query) {
  const Walk& walk = priced.tail();
  int64_t ops = walk.numOps();
  ColouredSpace space(priced.space(), from);
  std::vector<Values> left(ops + 1);
  Values results(priced.space().numLayouts(), 0);
  for (int64_t op = ops - 1; op >= 0; --op) {
    left[op] =
        walk.leftOnLeg(op, walk.runBack(op, walk.resultsOf(op, results)));
    results = left[op];
  }
  Road road(space, priced,
            RoadMap{&walk, &priced.tailTables(), tariffsOf(walk), leftOf(left),
                    0, ops, std::nullopt},
            query.wantsAll ? Keep::Unbeaten : Keep::Cheapest, query.budget);
  std::vector<Road::Goal> goals;
  if (!follow(road, query.wantsAll, query.maxLooks, goals)) return std::nullopt;
  std::vector<Crossing> found;
  for (const Road::Goal& goal : goals)
    found.push_back({goal.cost, space.colours(), road.stepsTo(goal.node), {}});
  return best(priced, query.wantsAll, std::move(found));
}

}  // namespace sbp::search
