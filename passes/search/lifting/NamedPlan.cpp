#include "passes/search/lifting/NamedPlan.h"

#include <map>
#include <tuple>

namespace sbp::search {
namespace {

NamedStep namedStep(const CrossingStep& step, NamedLayout reached) {
  return {step.what,  step.index,         step.phase, step.level,  step.devices,
          step.ticks, std::move(reached), step.bytes, step.storage};
}

/// Follows each axis along the steps of a crossing.
class Follower {
 public:
  Follower(const LayoutSpace& space, const std::vector<Colour>& colours,
           NamedLayout start)
      : space_(space), now_(std::move(start)) {
    // Axes are numbered class by class.
    std::vector<int64_t> begins;
    int64_t axes = 0;
    for (const AxisClass& axisClass : space.classes()) {
      begins.push_back(axes);
      axes += axisClass.number;
    }
    for (const Colour& colour : colours) {
      std::vector<int64_t>& members = members_.emplace_back();
      int64_t begin = begins[colour.axisClass];
      for (int64_t axis = begin;
           axis < begin + space.classes()[colour.axisClass].number; ++axis)
        if (now_[axis] == colour.kind) members.push_back(axis);
    }
  }

  std::vector<NamedStep> follow(const Block& block,
                                const std::vector<CrossingStep>& steps) {
    std::vector<NamedStep> named;
    for (const CrossingStep& step : steps) {
      if (step.what == CrossingStep::What::Move)
        move(step.reached);
      else
        run(block.ops[step.index], step.reached);
      named.push_back(namedStep(step, now_));
    }
    return named;
  }

  const NamedLayout& now() const { return now_; }

 private:
  int64_t count(const ColouredLayout& layout, size_t colour, Kind kind) const {
    return layout[colour * space_.numKinds() + kind];
  }

  void move(const ColouredLayout& reached) {
    for (size_t colour = 0; colour < members_.size(); ++colour) {
      std::vector<int64_t> room(space_.numKinds());
      for (Kind kind = 0; kind < space_.numKinds(); ++kind)
        room[kind] = count(reached, colour, kind);
      // Axes that can keep their kind do so; the others get the remaining kinds
      // in order.
      std::vector<int64_t> movers;
      for (int64_t axis : members_[colour])
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

  void run(const Op& op, const ColouredLayout& result) {
    std::vector<Kind> reads(space_.numKinds(), space_.broadcast());
    for (const Loop& loop : op.loops) reads[loop.leaves] = loop.reads;
    for (size_t colour = 0; colour < members_.size(); ++colour) {
      std::vector<int64_t> room(space_.numKinds());
      for (Kind kind = 0; kind < space_.numKinds(); ++kind)
        room[kind] = count(result, colour, kind);
      for (int64_t axis : members_[colour]) {
        Kind kind = 0;
        while (room[kind] == 0 || reads[kind] != now_[axis]) ++kind;
        --room[kind];
        now_[axis] = kind;
      }
    }
  }

  const LayoutSpace& space_;
  NamedLayout now_;
  std::vector<std::vector<int64_t>> members_;  // axes, per colour
};

/// Exchanges axes in `steps` that were alike in `start`, such that the steps
/// end with `wanted` instead of `ends`.
void rename(const LayoutSpace& space, const NamedLayout& start,
            const NamedLayout& ends, const NamedLayout& wanted,
            std::vector<NamedStep>& steps) {
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
  for (NamedStep& step : steps) {
    NamedLayout renamed(ends.size());
    for (size_t axis = 0; axis < renamed.size(); ++axis)
      renamed[axis] = step.reached[nameOf[axis]];
    step.reached = std::move(renamed);
  }
}

}  // namespace

TimeAndBytes CrossedPlan::cost() const {
  TimeAndBytes sum = head.cost;
  auto add = [&](const TimeAndBytes& cost) {
    sum.ticks += cost.ticks;
    sum.bytes += cost.bytes;
  };
  for (int64_t step : steps) add(crossings[step].cost);
  add(tail.cost);
  return sum;
}

NamedPlan nameAxes(const PricedChain& priced, const CrossedPlan& crossed) {
  const LayoutSpace& space = priced.space();
  const Chain& chain = priced.chain();
  NamedPlan plan;
  plan.cost = crossed.cost();
  // Colours of the head are the kinds of its first result.
  NamedLayout first;
  for (size_t c = 0; c < space.classes().size(); ++c)
    for (const Colour& colour : crossed.head.colours)
      if (colour.axisClass == static_cast<int64_t>(c))
        first.insert(first.end(), colour.number, colour.kind);
  const std::vector<CrossingStep>& steps = crossed.head.branch;
  Follower follower(space, crossed.head.colours, first);
  plan.head.branch =
      follower.follow(chain.head, {steps.begin() + 1, steps.end()});
  plan.head.branch.insert(plan.head.branch.begin(),
                          namedStep(steps.front(), first));
  NamedLayout now = plan.head.residual = follower.now();

  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    const Crossing& crossing = crossed.crossings[crossed.steps[p]];
    NamedBlock named;
    named.block = priced.blockAt(p);
    const Block& block = chain.blocks[named.block];
    Follower branch(space, crossing.colours, now);
    named.branch = branch.follow(block, crossing.branch);
    // The skip must lead every axis to the kind to which the branch has led it.
    Follower skip(space, crossing.colours, now);
    named.skip = skip.follow(block, crossing.skip);
    if (block.hasSkip) rename(space, now, skip.now(), branch.now(), named.skip);
    named.residual = now = branch.now();
    plan.blocks.push_back(std::move(named));
  }

  Follower last(space, crossed.tail.colours, now);
  plan.tail.branch = last.follow(chain.tail, crossed.tail.branch);
  return plan;
}

std::optional<CrossedPlan> crossAlong(const PricedChain& priced,
                                      const std::vector<Layout>& residuals,
                                      int64_t maxLooks) {
  CrossingQuery query;
  query.maxLooks = maxLooks;
  CrossedPlan plan;
  Crossings head = crossHead(priced, residuals.front(), query);
  if (!head) return std::nullopt;
  plan.head = std::move(head->front());
  std::map<std::tuple<int64_t, Layout, Layout>, int64_t> known;
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    int64_t block = priced.blockAt(p);
    auto [number, isNew] =
        known.try_emplace({block, residuals[p], residuals[p + 1]},
                          static_cast<int64_t>(plan.crossings.size()));
    plan.steps.push_back(number->second);
    if (!isNew) continue;
    Crossings found =
        cross(priced, block, residuals[p], residuals[p + 1], query);
    if (!found) return std::nullopt;
    plan.crossings.push_back(std::move(found->front()));
  }
  Crossings tail = crossTail(priced, residuals.back(), query);
  if (!tail) return std::nullopt;
  plan.tail = std::move(tail->front());
  return plan;
}

std::optional<NamedPlan> nameAxes(const PricedChain& priced,
                                  const std::vector<Layout>& residuals,
                                  int64_t maxLooks) {
  std::optional<CrossedPlan> plan = crossAlong(priced, residuals, maxLooks);
  if (!plan) return std::nullopt;
  return nameAxes(priced, *plan);
}

std::vector<std::string> lettersOf(const Chain& chain, const LayoutSpace& space,
                                   const NamedLayout& layout) {
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
