#include "passes/search/lifting/LiftedPlan.h"

#include <map>
#include <tuple>

namespace sbp::search {
namespace {

LiftedStep liftedStep(const TransitionStep& step, AxisKinds reached) {
  return {step.what,  step.index,         step.phase, step.level,  step.devices,
          step.ticks, std::move(reached), step.bytes, step.storage};
}

/// Follows each axis along the steps of a transition.
class Follower {
 public:
  Follower(const LayoutSpace& space, const std::vector<AxisOrbit>& axisOrbits,
           AxisKinds start)
      : space_(space), now_(std::move(start)) {
    // Axes are numbered class by class.
    std::vector<int64_t> begins;
    int64_t axes = 0;
    for (const AxisClass& axisClass : space.classes()) {
      begins.push_back(axes);
      axes += axisClass.number;
    }
    for (const AxisOrbit& axisOrbit : axisOrbits) {
      std::vector<int64_t>& members = members_.emplace_back();
      int64_t begin = begins[axisOrbit.axisClass];
      for (int64_t axis = begin;
           axis < begin + space.classes()[axisOrbit.axisClass].number; ++axis)
        if (now_[axis] == axisOrbit.kind) members.push_back(axis);
    }
  }

  std::vector<LiftedStep> follow(const Block& block,
                                 const std::vector<TransitionStep>& steps) {
    std::vector<LiftedStep> lifted;
    for (const TransitionStep& step : steps) {
      if (step.what == TransitionStep::What::Move)
        move(step.reached);
      else
        run(block.ops[step.index], step.reached);
      lifted.push_back(liftedStep(step, now_));
    }
    return lifted;
  }

  const AxisKinds& now() const { return now_; }

 private:
  int64_t count(const StabiliserOrbit& layout, size_t axisOrbit,
                Kind kind) const {
    return layout[axisOrbit * space_.numKinds() + kind];
  }

  void move(const StabiliserOrbit& reached) {
    for (size_t axisOrbit = 0; axisOrbit < members_.size(); ++axisOrbit) {
      std::vector<int64_t> room(space_.numKinds());
      for (Kind kind = 0; kind < space_.numKinds(); ++kind)
        room[kind] = count(reached, axisOrbit, kind);
      // Axes that can keep their kind do so; the others get the remaining kinds
      // in order.
      std::vector<int64_t> movers;
      for (int64_t axis : members_[axisOrbit])
        if (room[now_[axis]] > 0)
          --room[now_[axis]];
        else
          movers.push_back(axis);
      Kind kind = 0;
      for (int64_t axis : movers) {
        while (room[kind] == 0) ++kind;
        --room[kind];
        now_[axis] = kind;
      }
    }
  }

  void run(const Op& op, const StabiliserOrbit& result) {
    std::vector<Kind> reads(space_.numKinds(), space_.broadcast());
    for (const Loop& loop : op.loops) reads[loop.leaves] = loop.reads;
    for (size_t axisOrbit = 0; axisOrbit < members_.size(); ++axisOrbit) {
      std::vector<int64_t> room(space_.numKinds());
      for (Kind kind = 0; kind < space_.numKinds(); ++kind)
        room[kind] = count(result, axisOrbit, kind);
      for (int64_t axis : members_[axisOrbit]) {
        Kind kind = 0;
        while (room[kind] == 0 || reads[kind] != now_[axis]) ++kind;
        --room[kind];
        now_[axis] = kind;
      }
    }
  }

  const LayoutSpace& space_;
  AxisKinds now_;
  std::vector<std::vector<int64_t>> members_;  // axes, per axis orbit
};

/// Exchanges axes in `steps` that were alike in `start`, such that the steps
/// end with `wanted` instead of `ends`.
void rename(const LayoutSpace& space, const AxisKinds& start,
            const AxisKinds& ends, const AxisKinds& wanted,
            std::vector<LiftedStep>& steps) {
  std::vector<size_t> nameOf(ends.size());
  std::vector<bool> isTaken(ends.size());
  size_t begin = 0;
  for (const AxisClass& axes : space.classes()) {
    size_t end = begin + axes.number;
    for (size_t axis = begin; axis < end; ++axis) {
      size_t other = begin;
      while (isTaken[other] || start[other] != start[axis] ||
             ends[other] != wanted[axis])
        ++other;
      isTaken[other] = true;
      nameOf[axis] = other;
    }
    begin = end;
  }
  for (LiftedStep& step : steps) {
    AxisKinds renamed(ends.size());
    for (size_t axis = 0; axis < renamed.size(); ++axis)
      renamed[axis] = step.reached[nameOf[axis]];
    step.reached = std::move(renamed);
  }
}

}  // namespace

TimeAndBytes TransitionPlan::cost() const {
  TimeAndBytes sum = head.cost;
  auto add = [&](const TimeAndBytes& cost) {
    sum.ticks += cost.ticks;
    sum.bytes += cost.bytes;
  };
  for (int64_t step : steps) add(transitions[step].cost);
  add(tail.cost);
  return sum;
}

LiftedPlan liftToAxes(const PricedChain& priced,
                      const TransitionPlan& crossed) {
  const LayoutSpace& space = priced.space();
  const Chain& chain = priced.chain();
  LiftedPlan plan;
  plan.cost = crossed.cost();
  // Axis orbits of the head are the kinds of its first result.
  AxisKinds first;
  for (size_t c = 0; c < space.classes().size(); ++c)
    for (const AxisOrbit& axisOrbit : crossed.head.axisOrbits)
      if (axisOrbit.axisClass == static_cast<int64_t>(c))
        first.insert(first.end(), axisOrbit.number, axisOrbit.kind);
  const std::vector<TransitionStep>& steps = crossed.head.branch;
  Follower follower(space, crossed.head.axisOrbits, first);
  plan.head.branch =
      follower.follow(chain.head, {steps.begin() + 1, steps.end()});
  plan.head.branch.insert(plan.head.branch.begin(),
                          liftedStep(steps.front(), first));
  AxisKinds now = plan.head.residual = follower.now();

  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    const BlockTransition& transition = crossed.transitions[crossed.steps[p]];
    LiftedBlock lifted;
    lifted.block = priced.blockAt(p);
    const Block& block = chain.blocks[lifted.block];
    Follower branch(space, transition.axisOrbits, now);
    lifted.branch = branch.follow(block, transition.branch);
    // The skip must lead every axis to the kind to which the branch has led it.
    Follower skip(space, transition.axisOrbits, now);
    lifted.skip = skip.follow(block, transition.skip);
    if (block.hasSkip)
      rename(space, now, skip.now(), branch.now(), lifted.skip);
    lifted.residual = now = branch.now();
    plan.blocks.push_back(std::move(lifted));
  }

  Follower last(space, crossed.tail.axisOrbits, now);
  plan.tail.branch = last.follow(chain.tail, crossed.tail.branch);
  return plan;
}

std::optional<TransitionPlan> transitionsAlong(
    const PricedChain& priced, const std::vector<Layout>& residuals,
    int64_t maxLooks) {
  TransitionQuery query;
  query.maxLooks = maxLooks;
  TransitionPlan plan;
  BlockTransitions head = headTransitions(priced, residuals.front(), query);
  if (!head) return std::nullopt;
  plan.head = std::move(head->front());
  std::map<std::tuple<int64_t, Layout, Layout>, int64_t> known;
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    int64_t block = priced.blockAt(p);
    auto [number, isNew] =
        known.try_emplace({block, residuals[p], residuals[p + 1]},
                          static_cast<int64_t>(plan.transitions.size()));
    plan.steps.push_back(number->second);
    if (!isNew) continue;
    BlockTransitions found =
        transitionsOf(priced, block, residuals[p], residuals[p + 1], query);
    if (!found) return std::nullopt;
    plan.transitions.push_back(std::move(found->front()));
  }
  BlockTransitions tail = tailTransitions(priced, residuals.back(), query);
  if (!tail) return std::nullopt;
  plan.tail = std::move(tail->front());
  return plan;
}

std::optional<LiftedPlan> liftToAxes(const PricedChain& priced,
                                     const std::vector<Layout>& residuals,
                                     int64_t maxLooks) {
  std::optional<TransitionPlan> plan =
      transitionsAlong(priced, residuals, maxLooks);
  if (!plan) return std::nullopt;
  return liftToAxes(priced, *plan);
}

std::vector<std::string> lettersOf(const Chain& chain, const LayoutSpace& space,
                                   const AxisKinds& layout) {
  std::vector<std::string> letters(chain.levels.size());
  size_t axis = 0;
  for (const AxisClass& axes : space.classes())
    for (int64_t i = 0; i < axes.number; ++i) {
      Kind kind = layout[axis++];
      letters[axes.level] += kind == space.broadcast() ? 'B'
                             : kind == space.partial() ? 'P'
                                                       : chain.dims[kind][0];
    }
  return letters;
}

}  // namespace sbp::search
