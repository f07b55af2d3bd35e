#include "passes/search/layout/NamedPlan.h"

#include <map>
#include <tuple>

namespace sbp::search {
namespace {

/// Follows axes along the steps of one crossing.
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
      named.push_back({step.what, step.index, step.phase, step.level,
                       step.devices, step.ticks, now_});
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
      // Those stay that can; the others fill what is left, in order.
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

/// Exchanges axes that were alike at the start in steps that end with `ends`,
/// so that they end with `wanted`.
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

std::optional<NamedPlan> nameAxes(const PricedChain& priced,
                                  const std::vector<Layout>& residuals,
                                  int64_t maxLooks) {
  const LayoutSpace& space = priced.space();
  const Chain& chain = priced.chain();
  NamedPlan plan;
  std::optional<Crossing> head = crossHead(priced, residuals.front(), maxLooks);
  if (!head) return std::nullopt;
  // Colours of the head are the kinds of its first result.
  NamedLayout first;
  for (size_t c = 0; c < space.classes().size(); ++c)
    for (const Colour& colour : head->colours)
      if (colour.axisClass == static_cast<int64_t>(c))
        first.insert(first.end(), colour.number, colour.kind);
  std::vector<CrossingStep> afterFirst(head->branch.begin() + 1,
                                       head->branch.end());
  Follower follower(space, head->colours, first);
  plan.head.branch = follower.follow(chain.head, afterFirst);
  const CrossingStep& run = head->branch.front();
  plan.head.branch.insert(plan.head.branch.begin(),
                          {run.what, run.index, run.phase, run.level,
                           run.devices, run.ticks, first});
  plan.head.residual = follower.now();
  plan.ticks = head->ticks;

  NamedLayout now = follower.now();
  std::map<std::tuple<int64_t, Layout, Layout>, Crossing> known;
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    int64_t block = priced.blockAt(p);
    auto [crossing, isNew] =
        known.try_emplace({block, residuals[p], residuals[p + 1]});
    if (isNew) {
      std::optional<Crossing> found =
          cross(priced, block, residuals[p], residuals[p + 1], maxLooks);
      if (!found) return std::nullopt;
      crossing->second = std::move(*found);
    }
    const Crossing& steps = crossing->second;
    NamedBlock named;
    named.block = block;
    Follower branch(space, steps.colours, now);
    named.branch = branch.follow(chain.blocks[block], steps.branch);
    // The skip has to lead every axis where the branch has led it.
    Follower skip(space, steps.colours, now);
    named.skip = skip.follow(chain.blocks[block], steps.skip);
    if (chain.blocks[block].hasSkip)
      rename(space, now, skip.now(), branch.now(), named.skip);
    named.residual = now = branch.now();
    plan.ticks += steps.ticks;
    plan.blocks.push_back(std::move(named));
  }

  std::optional<Crossing> tail = crossTail(priced, residuals.back(), maxLooks);
  if (!tail) return std::nullopt;
  Follower last(space, tail->colours, now);
  plan.tail.branch = last.follow(chain.tail, tail->branch);
  plan.ticks += tail->ticks;
  return plan;
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
