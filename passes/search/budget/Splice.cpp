#include "passes/search/budget/Splice.h"

#include <utility>

namespace sbp::search {
namespace {

TimeAndBytes operator+(const TimeAndBytes& a, const TimeAndBytes& b) {
  return {a.ticks + b.ticks, a.bytes + b.bytes};
}

/// Returns the costs of the tail and of the steps from each position on.
std::vector<TimeAndBytes> costsFrom(const TransitionPlan& plan) {
  std::vector<TimeAndBytes> costs(plan.steps.size() + 1, plan.tail.cost);
  for (size_t p = plan.steps.size(); p-- > 0;)
    costs[p] = costs[p + 1] + plan.transitions[plan.steps[p]].cost;
  return costs;
}

/// Returns the plan that changes from `begin` to `end` at `step`.
TransitionPlan spliceAt(size_t step, const TransitionPlan& begin,
                        const BlockTransition& transition,
                        const TransitionPlan& end) {
  TransitionPlan plan = begin;
  plan.tail = end.tail;
  auto changed = static_cast<int64_t>(plan.transitions.size());
  plan.transitions.push_back(transition);
  plan.transitions.insert(plan.transitions.end(), end.transitions.begin(),
                          end.transitions.end());
  plan.steps[step] = changed;
  for (size_t p = step + 1; p < plan.steps.size(); ++p)
    plan.steps[p] = changed + 1 + end.steps[p];
  return plan;
}

}  // namespace

const BlockTransition* Splicer::transitionOf(int64_t block, Layout from,
                                             Layout to) {
  auto [known, isNew] = known_.try_emplace({block, from, to});
  if (isNew) {
    BlockTransitions found =
        transitionsOf(*priced_, block, from, to, {false, kNever, maxLooks_});
    if (found && !found->empty()) known->second = std::move(found->front());
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<TransitionPlan> Splicer::fastest(const LaidPlan& begin,
                                               const LaidPlan& end,
                                               double limitBytes) {
  std::vector<TimeAndBytes> behind = costsFrom(end.plan);
  TimeAndBytes before = begin.plan.head.cost;
  Ticks least = kNever;
  size_t best = 0;
  const BlockTransition* bestCrossing = nullptr;
  for (size_t p = 0; p < begin.plan.steps.size(); ++p) {
    const BlockTransition* transition = transitionOf(
        priced_->blockAt(p), begin.residuals[p], end.residuals[p + 1]);
    if (transition) {
      TimeAndBytes cost = before + transition->cost + behind[p + 1];
      if (cost.bytes <= limitBytes && cost.ticks < least) {
        least = cost.ticks;
        best = p;
        bestCrossing = transition;
      }
    }
    before = before + begin.plan.transitions[begin.plan.steps[p]].cost;
  }
  if (!bestCrossing) return std::nullopt;
  return spliceAt(best, begin.plan, *bestCrossing, end.plan);
}

}  // namespace sbp::search
