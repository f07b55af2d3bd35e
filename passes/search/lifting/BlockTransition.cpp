#include "passes/search/lifting/BlockTransition.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "passes/search/lifting/TransitionSearch.h"
#include "passes/search/symmetry/StabiliserSpace.h"

namespace sbp::search {
namespace {

std::vector<const Tariff*> tariffsOf(const BlockOperator& blockOperator) {
  std::vector<const Tariff*> tariffs;
  for (int64_t stage = 0; stage <= blockOperator.numOps(); ++stage)
    tariffs.push_back(&blockOperator.tariff(stage));
  return tariffs;
}

Ticks scalar(const PricedChain& priced, const TimeAndBytes& cost) {
  return cost.ticks + priced.bytePrice() * cost.bytes;
}

/// Returns the cheapest transition, or the non-dominated ones in ascending
/// order of cost.
std::vector<BlockTransition> best(const PricedChain& priced, bool wantsAll,
                                  std::vector<BlockTransition> transitions) {
  std::sort(transitions.begin(), transitions.end(),
            [&](const BlockTransition& a, const BlockTransition& b) {
              Ticks costOfA = scalar(priced, a.cost);
              Ticks costOfB = scalar(priced, b.cost);
              return std::tie(costOfA, a.cost.bytes) <
                     std::tie(costOfB, b.cost.bytes);
            });
  std::vector<BlockTransition> kept;
  for (BlockTransition& transition : transitions) {
    bool isBeaten = std::any_of(
        kept.begin(), kept.end(), [&](const BlockTransition& other) {
          return !wantsAll || (other.cost.ticks <= transition.cost.ticks &&
                               other.cost.bytes <= transition.cost.bytes);
        });
    if (!isBeaten) kept.push_back(std::move(transition));
  }
  return kept;
}

/// Takes paths of a search (TransitionSearch.h) to its end: the cheapest one,
/// or all. Returns false if that takes too many looks.
bool follow(TransitionSearch& search, bool wantsAll, int64_t& looks,
            std::vector<TransitionSearch::Goal>& goals) {
  while (std::optional<TransitionSearch::Goal> goal = search.next(looks)) {
    goals.push_back(*goal);
    if (!wantsAll) return true;
  }
  return search.isExhausted();
}

template <typename OfLeg>
std::vector<CostToGo> leftOf(const std::vector<OfLeg>& stages) {
  return {stages.begin(), stages.end()};
}

BlockTransitions crossOver(const PricedChain& priced, int64_t block,
                           Layout from, Layout to, std::vector<CostToGo> left,
                           TransitionQuery query) {
  const BlockOperator& blockOperator = priced.block(block);
  Keep keep = query.wantsAll ? Keep::Unbeaten : Keep::Cheapest;
  StabiliserSpace space(priced.space(), from);
  Ticks addition = priced.addition()[to];
  Values skipLeft;
  if (blockOperator.block().hasSkip) skipLeft = priced.skipTo(to);
  TransitionProblem map{&blockOperator,
                        &priced.blockTables(block),
                        tariffsOf(blockOperator),
                        std::move(left),
                        0,
                        blockOperator.numOps(),
                        to};
  Ticks leastBranch = map.left[0][from];
  Ticks leastSkip = skipLeft.empty() ? 0 : skipLeft[from];
  TransitionSearch branch(space, priced, std::move(map), keep,
                          query.budget - addition - leastSkip);
  auto made = [&](const TransitionSearch::Goal& goal, Ticks skipTicks) {
    TimeAndBytes cost = goal.cost;
    cost.ticks += skipTicks + addition;
    return BlockTransition{
        cost, space.axisOrbits(), branch.stepsTo(goal.node), {}};
  };
  if (!blockOperator.block().hasSkip) {
    std::vector<TransitionSearch::Goal> goals;
    if (!follow(branch, query.wantsAll, query.maxLooks, goals))
      return std::nullopt;
    std::vector<BlockTransition> found;
    for (const TransitionSearch::Goal& goal : goals)
      found.push_back(made(goal, 0));
    return best(priced, query.wantsAll, std::move(found));
  }
  TransitionSearch skip(space, priced,
                        TransitionProblem{nullptr,
                                          nullptr,
                                          {&priced.skipTariff()},
                                          {CostToGo(std::move(skipLeft))},
                                          0,
                                          0,
                                          to},
                        Keep::Cheapest, query.budget - addition - leastBranch);

  // Both searches lead to stabiliser orbits of `to`, the cheapest first. They
  // are followed in turn until no missing pair can cost less.
  std::map<StabiliserOrbit, std::vector<TransitionSearch::Goal>> byBranch;
  std::map<StabiliserOrbit, TransitionSearch::Goal> bySkip;
  Ticks lastBranch = leastBranch, lastSkip = leastSkip;
  Ticks limit = query.budget - addition;
  bool branchGoesOn = true, skipGoesOn = true;
  std::vector<std::pair<TransitionSearch::Goal, TransitionSearch::Goal>> pairs;
  auto pair = [&](const TransitionSearch::Goal& goal,
                  const TransitionSearch::Goal& around) {
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
    // Follow the search that is less far from its cheapest end; if equal, the
    // one with fewer known ends.
    auto branchAt = std::pair(lastBranch - leastBranch, byBranch.size());
    auto skipAt = std::pair(lastSkip - leastSkip, bySkip.size());
    bool takesBranch = branchMatters && (!skipMatters || branchAt <= skipAt);
    TransitionSearch& search = takesBranch ? branch : skip;
    std::optional<TransitionSearch::Goal> goal = search.next(query.maxLooks);
    if (!goal) {
      if (!search.isExhausted()) return std::nullopt;
      (takesBranch ? branchGoesOn : skipGoesOn) = false;
      continue;
    }
    const StabiliserOrbit& layout = search.layoutOf(goal->node);
    (takesBranch ? lastBranch : lastSkip) = scalar(priced, goal->cost);
    if (takesBranch) {
      byBranch[layout].push_back(*goal);
      auto match = bySkip.find(layout);
      if (match != bySkip.end()) pair(*goal, match->second);
    } else if (bySkip.emplace(layout, *goal).second) {
      for (const TransitionSearch::Goal& other : byBranch[layout])
        pair(other, *goal);
    }
  }
  std::vector<BlockTransition> found;
  for (const auto& [goal, around] : pairs) {
    found.push_back(made(goal, around.cost.ticks));
    found.back().skip = skip.stepsTo(around.node);
  }
  return best(priced, query.wantsAll, std::move(found));
}

}  // namespace

BlockTransitions transitionsOf(const PricedChain& priced, int64_t block,
                               Layout from, Layout to, TransitionQuery query) {
  const BlockOperator& blockOperator = priced.block(block);
  Values end = onlyAt(to, priced.space().numLayouts());
  return crossOver(priced, block, from, to,
                   leftOf(blockOperator.costsToGo(0, blockOperator.numOps(),
                                                  std::move(end))),
                   query);
}

BlockTransitions transitionsOf(const PricedChain& priced, int64_t block,
                               Layout from, Layout to, const FewByStage& left,
                               TransitionQuery query) {
  return crossOver(priced, block, from, to, leftOf(left), query);
}

BlockTransitions headTransitions(const PricedChain& priced, Layout to,
                                 TransitionQuery query) {
  const BlockOperator& blockOperator = priced.head();
  Ticks addition = priced.addition()[to];
  std::vector<Values> left = blockOperator.costsToGo(
      0, blockOperator.numOps(), onlyAt(to, priced.space().numLayouts()));
  // The first op may have any result.
  Ticks least = kNever;
  for (Layout y = 0; y < priced.space().numLayouts(); ++y)
    least = std::min(least, blockOperator.costInWhole(0, y) + left[1][y]);
  Ticks most = query.wantsAll ? query.budget - addition : least;
  std::vector<BlockTransition> found;
  for (Layout first = 0; first < priced.space().numLayouts(); ++first) {
    if (!(blockOperator.costInWhole(0, first) + left[1][first] <= most))
      continue;
    Layout own = first;
    if (!priced.spaces().leavesTerms(priced.chain().head.ops[0]))
      own = priced.spaces().operandOf(first);
    StabiliserSpace space(priced.space(), first);
    for (const OpTable::Way& way : priced.headTables()[0].ways) {
      if (way.ticks[own] == kNever) continue;
      TimeAndBytes start{way.ticks[own],
                         way.bytes.empty() ? 0 : way.bytes[own]};
      TransitionSearch search(
          space, priced,
          TransitionProblem{&blockOperator, &priced.headTables(),
                            tariffsOf(blockOperator), leftOf(left), 1,
                            blockOperator.numOps(), to},
          query.wantsAll ? Keep::Unbeaten : Keep::Cheapest,
          query.budget - addition - scalar(priced, start));
      std::vector<TransitionSearch::Goal> goals;
      if (!follow(search, query.wantsAll, query.maxLooks, goals))
        return std::nullopt;
      TransitionStep run = {TransitionStep::What::Run,
                            0,
                            Phase::Slice,
                            0,
                            1,
                            start.ticks,
                            space.start(),
                            start.bytes,
                            way.storage};
      for (const TransitionSearch::Goal& goal : goals) {
        std::vector<TransitionStep> steps = search.stepsTo(goal.node);
        steps.insert(steps.begin(), run);
        found.push_back({{goal.cost.ticks + start.ticks + addition,
                          goal.cost.bytes + start.bytes},
                         space.axisOrbits(),
                         std::move(steps),
                         {}});
      }
    }
    if (!query.wantsAll) break;
  }
  return best(priced, query.wantsAll, std::move(found));
}

BlockTransitions tailTransitions(const PricedChain& priced, Layout from,
                                 TransitionQuery query) {
  const BlockOperator& blockOperator = priced.tail();
  int64_t ops = blockOperator.numOps();
  StabiliserSpace space(priced.space(), from);
  std::vector<Values> left(ops + 1);
  Values results(priced.space().numLayouts(), 0);
  for (int64_t op = ops - 1; op >= 0; --op) {
    left[op] = blockOperator.costToGoAt(
        op, blockOperator.runBack(op, blockOperator.resultsOf(op, results)));
    results = left[op];
  }
  TransitionSearch search(
      space, priced,
      TransitionProblem{&blockOperator, &priced.tailTables(),
                        tariffsOf(blockOperator), leftOf(left), 0, ops,
                        std::nullopt},
      query.wantsAll ? Keep::Unbeaten : Keep::Cheapest, query.budget);
  std::vector<TransitionSearch::Goal> goals;
  if (!follow(search, query.wantsAll, query.maxLooks, goals))
    return std::nullopt;
  std::vector<BlockTransition> found;
  for (const TransitionSearch::Goal& goal : goals)
    found.push_back(
        {goal.cost, space.axisOrbits(), search.stepsTo(goal.node), {}});
  return best(priced, query.wantsAll, std::move(found));
}

}  // namespace sbp::search
