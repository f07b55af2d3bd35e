#include "passes/search/budget/ReducedSpaceSearch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "passes/search/budget/BudgetTuning.h"
#include "passes/search/lifting/BlockTransition.h"

namespace sbp::search {
ReducedSpaceSearch::ReducedSpaceSearch(const PricedChain& priced,
                                       ExactSearch& search, double limitBytes,
                                       MemoryOptions options,
                                       LimitedAnswer& answer)
    : priced_(&priced),
      search_(&search),
      limitBytes_(limitBytes),
      paid_(priced.bytePrice() * limitBytes),
      options_(options),
      answer_(&answer) {}

Ticks ReducedSpaceSearch::ofOneBlock() const {
  return answer_->lowerBound / static_cast<double>(priced_->numSteps() + 1);
}

void ReducedSpaceSearch::mix(
    const std::vector<const std::vector<Layout>*>& plans) {
  bool isFound = false;
  for (double part : kMixedSlacks) {
    Ticks threshold = answer_->lowerBound + part * ofOneBlock() + paid_;
    ReducedSpace reduced =
        reducedSpaceBetween(*priced_, *search_, plans, threshold);
    Fronts fronts(*priced_, *search_, reduced, threshold, /*areLifted=*/true);
    if (!fronts.areFilled()) return;
    Ticks before = answer_->cost.ticks;
    findAmongLifted(reduced, fronts);
    // Then plans farther from the bound do not help.
    if (isFound && answer_->cost.ticks == before) return;
    isFound |= answer_->cost.ticks < before;
    Ticks gap = answer_->cost.ticks - answer_->lowerBound;
    if (isFound && gap <= kBudget.nearEnough * ofOneBlock()) return;
  }
}

void ReducedSpaceSearch::run(Ticks optimumAtPrice) {
  Ticks slack = kBudget.firstSlack * ofOneBlock();
  // The bound is not exact for this price yet; the exact one is near the plan's
  // cost.
  Ticks least =
      std::min(optimumAtPrice - paid_, answer_->lowerBound + 2 * slack);
  double mostWork = search_->work() + options_.maxWork;
  double part = kBudget.partOfWork;
  while (answer_->lowerBound < answer_->cost.ticks) {
    Ticks most = std::max(least, answer_->lowerBound) + slack;
    // If little is left up to the best plan, search it now.
    if (most + slack / 16 >= answer_->cost.ticks) most = answer_->cost.ticks;
    // Costs are rounded down to whole ticks, op by op, so they are lower
    // bounds.
    Ticks threshold = most + paid_;
    if (!search_->cover(threshold, part * (mostWork - search_->work()))) {
      // A smaller slack may still be possible.
      least = answer_->lowerBound;
      slack /= kBudget.slackDecline;
      bool isLeast = slack < kBudget.leastSlack * ofOneBlock();
      if (search_->work() >= mostWork || (isLeast && part == 1)) return;
      if (isLeast) {
        part = 1;
        slack = kBudget.firstSlack * ofOneBlock();
      }
      continue;
    }
    // All layouts that matter have rows, so the bound at this price is exact.
    Ticks bound = std::min(most, std::ceil(search_->bound() - paid_));
    answer_->lowerBound = std::max(answer_->lowerBound, bound);
    if (bound == most) {
      slack *= kBudget.emptySlackGrowth;
      continue;
    }
    if (!searchUpTo(most, reducedSpaceOf(*priced_, *search_, threshold)))
      return;
    slack *= kBudget.slackGrowth;
  }
}

bool ReducedSpaceSearch::searchUpTo(Ticks most, ReducedSpace reduced) {
  passes_ += reduced.numPasses();
  double sweeps =
      kBudget.sweepsPerStart * static_cast<double>(reduced.numStarts());
  if (passes_ > kBudget.mostPasses ||
      sweeps * static_cast<double>(priced_->space().numLayouts()) >
          options_.maxWork)
    return false;
  Fronts fronts(*priced_, *search_, reduced, most + paid_,
                wereWrong_ || search_->areCountsOftenWrong());
  if (!fronts.areFilled()) return false;
  // Lifting only raises fronts, so these bounds stay valid.
  PricedCostToGo left(reduced, priced_->bytePrice(), limitBytes_);
  // A better plan lowers the limit, and with it the number of labels.
  findSome(reduced, fronts, left);
  most = std::min(most, answer_->cost.ticks);
  Ticks known = answer_->lowerBound;
  bool areFound = true, areAsMany = false;
  double labels = 0;
  for (double part : kPartsOfSlack) {
    if (areAsMany && part < 1) continue;
    Ticks wanted = std::ceil(known + part * (most - known));
    areFound = findFastest(reduced, fronts, left, wanted);
    if (!areFound || answer_->lowerBound == answer_->cost.ticks) break;
    auto before = std::exchange(labels, static_cast<double>(lastLabels_));
    areAsMany = labels < kBudget.hardlyMore * before;
  }
  return areFound;
}

bool ReducedSpaceSearch::findFastest(const ReducedSpace& reduced,
                                     Fronts& fronts, const PricedCostToGo& left,
                                     Ticks most) {
  most = std::min(most, answer_->cost.ticks);
  auto lifting = Lifting::Corrected;
  for (int64_t i = 0; lifting == Lifting::Corrected; ++i) {
    // If counts were wrong often they will be again; and if there are many
    // labels, forming them again takes longer than lifting all arcs.
    bool areMany = lastLabels_ > kBudget.labelsPerLifted * reduced.numStarts();
    if ((i == kBudget.someTimes || (i > 0 && areMany)) && !fronts.liftAll())
      return false;
    LabelAnswer labels = fastestAlong(
        reduced, left,
        {most, options_.maxLabels - answer_->labels, /*keptLabels=*/0});
    ++answer_->labelSearches;
    answer_->labels += lastLabels_ = labels.labels;
    if (!labels.isComplete) return false;
    lifting = liftSteps(reduced, fronts, labels);
    if (lifting == Lifting::Kept) lifting = keepIfBetter(reduced, labels);
    if (lifting == Lifting::Missing) return false;
  }
  // A plan that was not found does not exist.
  answer_->lowerBound =
      std::max(answer_->lowerBound, std::min(most, answer_->cost.ticks));
  return true;
}

void ReducedSpaceSearch::findSome(const ReducedSpace& reduced, Fronts& fronts,
                                  const PricedCostToGo& left) {
  auto lifting = Lifting::Corrected;
  for (int64_t i = 0; i < kBudget.someTimes && lifting == Lifting::Corrected;
       ++i) {
    LabelAnswer labels = fastestAlong(
        reduced, left,
        {answer_->cost.ticks, options_.maxLabels, kBudget.someLabels});
    lifting = liftSteps(reduced, fronts, labels);
    if (lifting == Lifting::Kept) lifting = keepIfBetter(reduced, labels);
  }
  if (lifting != Lifting::Corrected) return;
  findAmongLifted(reduced, fronts);
}

void ReducedSpaceSearch::findAmongLifted(ReducedSpace reduced,
                                         const Fronts& fronts) {
  for (std::vector<int64_t>& step : reduced.steps)
    step.erase(
        std::remove_if(step.begin(), step.end(),
                       [&](int64_t index) { return !fronts.isLifted(index); }),
        step.end());
  PricedCostToGo left(reduced, priced_->bytePrice(), limitBytes_);
  LabelAnswer labels = fastestAlong(
      reduced, left,
      {answer_->cost.ticks, options_.maxLabels, kBudget.someLabels});
  keepIfBetter(reduced, labels);
}

ReducedSpaceSearch::Lifting ReducedSpaceSearch::liftSteps(
    const ReducedSpace& reduced, Fronts& fronts, const LabelAnswer& labels) {
  auto lifting = Lifting::Kept;
  for (const LabelStep& step : labels.steps) {
    if (!fronts.lift(step.arc)) return Lifting::Missing;
    const Front& front = reduced.arcs[step.arc].front;
    bool isKept =
        std::any_of(front.begin(), front.end(), [&](const TimeAndBytes& cost) {
          return cost.ticks == step.cost.ticks && cost.bytes == step.cost.bytes;
        });
    if (!isKept) lifting = Lifting::Corrected;
  }
  wereWrong_ |= lifting == Lifting::Corrected;
  return lifting;
}

ReducedSpaceSearch::Lifting ReducedSpaceSearch::keepIfBetter(
    const ReducedSpace& reduced, const LabelAnswer& labels) {
  if (!(labels.cost.ticks < answer_->cost.ticks)) return Lifting::Kept;
  std::optional<TransitionPlan> plan = planOf(reduced, labels);
  if (!plan) return Lifting::Missing;
  answer_->cost = labels.cost;
  answer_->plan = std::move(plan);
  return Lifting::Kept;
}

std::optional<BlockTransition> ReducedSpaceSearch::transitionOf(
    const Arc& arc, const TimeAndBytes& cost) const {
  // Rounded up, since the product is rounded.
  Ticks own = cost.ticks + priced_->bytePrice() * cost.bytes + 1;
  TransitionQuery query{true, own, kMaxLooks};
  BlockTransitions transitions =
      arc.block == Arc::kHead ? headTransitions(*priced_, arc.to, query)
      : arc.block == Arc::kTail
          ? tailTransitions(*priced_, arc.from, query)
          : transitionsOf(*priced_, arc.block, arc.from, arc.to, query);
  if (!transitions) return std::nullopt;
  for (BlockTransition& transition : *transitions)
    if (transition.cost.ticks == cost.ticks &&
        transition.cost.bytes == cost.bytes)
      return std::move(transition);
  return std::nullopt;
}

std::optional<TransitionPlan> ReducedSpaceSearch::planOf(
    const ReducedSpace& reduced, const LabelAnswer& labels) const {
  TransitionPlan plan;
  std::map<std::tuple<int64_t, Ticks, double>, int64_t> numbers;
  for (size_t i = 0; i < labels.steps.size(); ++i) {
    const auto& [index, cost] = labels.steps[i];
    bool isEnd = i == 0 || i + 1 == labels.steps.size();
    auto [number, isNew] =
        numbers.try_emplace({index, cost.ticks, cost.bytes},
                            static_cast<int64_t>(plan.transitions.size()));
    if (!isEnd) plan.steps.push_back(number->second);
    if (!isNew) continue;
    auto transition = transitionOf(reduced.arcs[index], cost);
    if (!transition) return std::nullopt;
    if (i == 0)
      plan.head = std::move(*transition);
    else if (isEnd)
      plan.tail = std::move(*transition);
    else
      plan.transitions.push_back(std::move(*transition));
  }
  return plan;
}

}  // namespace sbp::search
