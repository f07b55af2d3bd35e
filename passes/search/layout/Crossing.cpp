#include "passes/search/layout/Crossing.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "passes/search/layout/ColouredSpace.h"

namespace sbp::search {
namespace {

/// Moves and runs from a coloured layout to others, along the legs and ops of a
/// walk. `left` has what is left to pay per leg and plain layout.
class Road {
 public:
  struct Goal {
    Ticks ticks = kNever;
    int64_t node = -1;
  };

  /// Goes from leg `firstLeg` to the end of leg `lastLeg`, which has to be
  /// `to`; or to the result of op `lastLeg`-1, without `to`.
  Road(const ColouredSpace& space, const Redistribution& moves,
       const Walk* walk, std::vector<const Tariff*> tariffs,
       std::vector<Values> left, int64_t firstLeg, int64_t lastLeg,
       std::optional<Layout> to)
      : space_(space),
        moves_(moves),
        order_(moves.order()),
        walk_(walk),
        tariffs_(std::move(tariffs)),
        left_(std::move(left)),
        lastLeg_(lastLeg),
        to_(to) {
    push({space.start(), firstLeg, 0, 0, -1, {}});
  }

  /// The next goal, costs rising; none if there is no other. Looks at no more
  /// than `looks` layouts, which it counts down.
  std::optional<Goal> next(int64_t& looks) {
    while (!queue_.empty() && looks > 0) {
      auto [bound, index] = queue_.top();
      queue_.pop();
      const Node node = nodes_[index];
      if (node.ticks > best_[keyOf(node)]) continue;
      --looks;
      Layout plain = space_.forget(node.layout);
      bool isGoal = node.leg == lastLeg_ && (!to_ || plain == *to_);
      if (isGoal && ends_.insert({node.layout, index}).second) {
        if (!to_) return Goal{node.ticks, index};
        move(index, plain);
        return Goal{node.ticks, index};
      }
      if (node.leg == lastLeg_ && !to_) continue;
      move(index, plain);
      if (node.leg < lastLeg_ && !space_.hasTerms(node.layout)) run(index);
    }
    return std::nullopt;
  }

  bool isExhausted() const { return queue_.empty(); }
  const ColouredLayout& layoutOf(int64_t node) const {
    return nodes_[node].layout;
  }

  std::vector<CrossingStep> stepsTo(int64_t node) const {
    std::vector<CrossingStep> steps;
    for (; nodes_[node].parent >= 0; node = nodes_[node].parent)
      steps.push_back(nodes_[node].step);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  struct Node {
    ColouredLayout layout;
    int64_t leg = 0;
    size_t pass = 0;  // moves come in the order of the normal form
    Ticks ticks = 0;
    int64_t parent = -1;
    CrossingStep step;
  };

  static std::string keyOf(const Node& node) {
    std::string key = node.layout;
    key.push_back(static_cast<char>(node.leg));
    key.push_back(static_cast<char>(node.pass));
    return key;
  }

  void push(Node node) {
    Ticks& best = best_.try_emplace(keyOf(node), kNever).first->second;
    if (!(node.ticks < best)) return;
    bool isOver = node.leg == lastLeg_ && !to_;
    Ticks bound =
        node.ticks + (isOver ? 0 : left_[node.leg][space_.forget(node.layout)]);
    if (bound == kNever) return;
    best = node.ticks;
    queue_.push({bound, static_cast<int64_t>(nodes_.size())});
    nodes_.push_back(std::move(node));
  }

  void move(int64_t index, Layout plain) {
    // A copy: nodes move as more are pushed.
    const ColouredLayout start = nodes_[index].layout;
    for (size_t pass = nodes_[index].pass; pass < order_.size(); ++pass) {
      auto [phase, level] = order_[pass];
      const LayoutSpace& space = space_.plain();
      Kind broadcast = space.broadcast(), partial = space.partial();
      for (Kind from = 0; from < space.numKinds(); ++from)
        for (Kind to = 0; to < space.numKinds(); ++to) {
          bool fromDim = from < broadcast, toDim = to < broadcast;
          bool isPass = false;
          switch (phase) {
            case Phase::Slice:
              isPass = from == broadcast && toDim;
              break;
            case Phase::ReduceScatter:
              isPass = from == partial && toDim;
              break;
            case Phase::Exchange:
              isPass = fromDim && toDim && from != to;
              break;
            case Phase::Gather:
              isPass = fromDim && to == broadcast;
              break;
            case Phase::MakeTerms:
              isPass = from != partial && to == partial;
              break;
          }
          if (isPass) moveAxes(index, plain, pass, from, to, 0, start, 1);
        }
    }
  }

  /// Moves some axes of the pass's level, of colours from `colour` on,
  /// together: several only in exchanges.
  void moveAxes(int64_t index, Layout plain, size_t pass, Kind from, Kind to,
                size_t colour, const ColouredLayout& reached, double devices) {
    auto [phase, level] = order_[pass];
    if (colour == space_.colours().size()) {
      if (devices == 1) return;
      Node next = nodes_[index];
      Ticks ticks =
          moves_.price(*tariffs_[next.leg], phase, level, devices, plain);
      next.layout = reached;
      next.pass = pass;
      next.ticks += ticks;
      next.parent = index;
      next.step = {CrossingStep::What::Move,
                   next.leg,
                   phase,
                   level,
                   devices,
                   ticks,
                   reached};
      push(std::move(next));
      return;
    }
    moveAxes(index, plain, pass, from, to, colour + 1, reached, devices);
    if (space_.classOf(colour).level != level) return;
    if (phase != Phase::Exchange && devices > 1) return;
    ColouredLayout layout = reached;
    int64_t most = space_.count(layout, colour, from);
    if (phase != Phase::Exchange) most = std::min<int64_t>(most, 1);
    for (int64_t taken = 1; taken <= most; ++taken) {
      --space_.count(layout, colour, from);
      ++space_.count(layout, colour, to);
      devices *= static_cast<double>(space_.classOf(colour).prime);
      moveAxes(index, plain, pass, from, to, colour + 1, layout, devices);
    }
  }

  /// Runs the op behind the leg in all ways that read this layout.
  void run(int64_t index) {
    int64_t op = nodes_[index].leg;
    const LayoutSpace& space = space_.plain();
    std::vector<Kind> reads(space.numKinds(), -1);
    reads[space.broadcast()] = space.broadcast();
    for (const Loop& loop : walk_->block().ops[op].loops)
      reads[loop.leaves] = loop.reads;
    ColouredLayout empty(nodes_[index].layout.size(), 0);
    share(index, op, reads, 0, 0, nodes_[index].layout, empty);
  }

  /// Shares the axes of the operand out among the kinds of the result, from
  /// this colour and kind on.
  void share(int64_t index, int64_t op, const std::vector<Kind>& reads,
             size_t colour, Kind kind, ColouredLayout left,
             ColouredLayout result) {
    const LayoutSpace& space = space_.plain();
    if (colour == space_.colours().size()) {
      Layout plain = space_.forget(result);
      Ticks ticks = costOf(op, plain);
      if (ticks == kNever) return;
      Node next = nodes_[index];
      next.layout = result;
      ++next.leg;
      next.pass = 0;
      next.ticks += ticks;
      next.parent = index;
      next.step = {
          CrossingStep::What::Run, op, Phase::Slice, 0, 1, ticks, result};
      push(std::move(next));
      return;
    }
    if (kind == space.numKinds()) {
      for (Kind unread = 0; unread < space.numKinds(); ++unread)
        if (space_.count(left, colour, unread) > 0) return;
      return share(index, op, reads, colour + 1, 0, left, result);
    }
    share(index, op, reads, colour, kind + 1, left, result);
    if (reads[kind] < 0) return;
    while (space_.count(left, colour, reads[kind]) > 0) {
      --space_.count(left, colour, reads[kind]);
      ++space_.count(result, colour, kind);
      share(index, op, reads, colour, kind + 1, left, result);
    }
  }

  Ticks costOf(int64_t op, Layout plain) const {
    return walk_->costInWhole(op, plain);
  }

  const ColouredSpace& space_;
  const Redistribution& moves_;
  std::vector<std::pair<Phase, int64_t>> order_;
  const Walk* walk_;
  std::vector<const Tariff*> tariffs_;
  std::vector<Values> left_;
  int64_t lastLeg_;
  std::optional<Layout> to_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, Ticks> best_;
  std::unordered_map<ColouredLayout, int64_t> ends_;
  // The least bound first; of equal ones the newest, which has come furthest.
  struct Later {
    bool operator()(const std::pair<Ticks, int64_t>& a,
                    const std::pair<Ticks, int64_t>& b) const {
      return std::tie(b.first, a.second) < std::tie(a.first, b.second);
    }
  };
  std::priority_queue<std::pair<Ticks, int64_t>,
                      std::vector<std::pair<Ticks, int64_t>>, Later>
      queue_;
};

/// What is left to pay on each leg of a walk that is to end with `values`.
std::vector<Values> leftOnLegs(const Walk& walk, int64_t lastLeg,
                               Values values) {
  std::vector<Values> left(lastLeg + 1);
  for (int64_t leg = lastLeg; leg >= 0; --leg) {
    left[leg] =
        leg == walk.numOps()
            ? walk.leftOnLeg(leg, values)
            : walk.leftOnLeg(
                  leg, walk.runBack(leg, walk.resultsOf(leg, left[leg + 1])));
  }
  return left;
}

std::vector<const Tariff*> tariffsOf(const Walk& walk) {
  std::vector<const Tariff*> tariffs;
  for (int64_t leg = 0; leg <= walk.numOps(); ++leg)
    tariffs.push_back(&walk.tariff(leg));
  return tariffs;
}

Values onlyAt(Layout layout, int64_t numLayouts) {
  Values values(numLayouts, kNever);
  values[layout] = 0;
  return values;
}

}  // namespace

std::optional<Crossing> cross(const PricedChain& priced, int64_t block,
                              Layout from, Layout to, int64_t maxLooks) {
  const Walk& walk = priced.block(block);
  const Redistribution& moves = priced.terrain().wholeMoves();
  ColouredSpace space(priced.space(), from);
  Values end = onlyAt(to, priced.space().numLayouts());
  Road branch(space, moves, &walk, tariffsOf(walk),
              leftOnLegs(walk, walk.numOps(), end), 0, walk.numOps(), to);
  Crossing found;
  found.colours = space.colours();
  Ticks addition = priced.addition()[to];
  if (!walk.block().hasSkip) {
    std::optional<Road::Goal> goal = branch.next(maxLooks);
    if (!goal) return std::nullopt;
    found.ticks = goal->ticks + addition;
    found.branch = branch.stepsTo(goal->node);
    return found;
  }
  Road skip(space, moves, nullptr, {&priced.skipTariff()}, {priced.skipTo(to)},
            0, 0, to);

  // Both roads lead to coloured layouts of `to`, the cheapest first. They are
  // followed in turn until no pair that is missing can cost less.
  std::map<ColouredLayout, Road::Goal> byBranch, bySkip;
  std::optional<Ticks> leastBranch, leastSkip;
  Ticks lastBranch = 0, lastSkip = 0;
  const ColouredLayout* best = nullptr;
  bool branchGoesOn = true, skipGoesOn = true;
  while (true) {
    bool branchMatters =
        branchGoesOn && lastBranch + leastSkip.value_or(0) < found.ticks;
    bool skipMatters =
        skipGoesOn && lastSkip + leastBranch.value_or(0) < found.ticks;
    if (!branchMatters && !skipMatters) break;
    bool takesBranch =
        branchMatters &&
        (!skipMatters || !leastBranch ||
         (leastSkip && lastBranch - *leastBranch <= lastSkip - *leastSkip));
    Road& road = takesBranch ? branch : skip;
    std::optional<Road::Goal> goal = road.next(maxLooks);
    if (!goal) {
      if (!road.isExhausted()) return std::nullopt;
      (takesBranch ? branchGoesOn : skipGoesOn) = false;
      continue;
    }
    const ColouredLayout& layout = road.layoutOf(goal->node);
    auto& own = takesBranch ? byBranch : bySkip;
    auto& other = takesBranch ? bySkip : byBranch;
    (takesBranch ? lastBranch : lastSkip) = goal->ticks;
    std::optional<Ticks>& least = takesBranch ? leastBranch : leastSkip;
    if (!least) least = goal->ticks;
    auto place = own.emplace(layout, *goal).first;
    auto match = other.find(layout);
    if (match == other.end()) continue;
    Ticks ticks = goal->ticks + match->second.ticks;
    if (ticks < found.ticks) {
      found.ticks = ticks;
      best = &place->first;
    }
  }
  if (!best) return std::nullopt;
  found.ticks += addition;
  found.branch = branch.stepsTo(byBranch.at(*best).node);
  found.skip = skip.stepsTo(bySkip.at(*best).node);
  return found;
}

std::optional<Crossing> crossHead(const PricedChain& priced, Layout to,
                                  int64_t maxLooks) {
  const Walk& walk = priced.head();
  std::vector<Values> left =
      leftOnLegs(walk, walk.numOps(), onlyAt(to, priced.space().numLayouts()));
  // The first op may run in any way.
  Layout first = 0;
  Ticks least = kNever;
  for (Layout y = 0; y < priced.space().numLayouts(); ++y) {
    Ticks cost = walk.costInWhole(0, y) + left[1][y];
    if (cost < least) {
      least = cost;
      first = y;
    }
  }
  ColouredSpace space(priced.space(), first);
  Road road(space, priced.terrain().wholeMoves(), &walk, tariffsOf(walk),
            std::move(left), 1, walk.numOps(), to);
  std::optional<Road::Goal> goal = road.next(maxLooks);
  if (!goal) return std::nullopt;
  Ticks ticks = walk.costInWhole(0, first);
  CrossingStep run = {
      CrossingStep::What::Run, 0, Phase::Slice, 0, 1, ticks, space.start()};
  std::vector<CrossingStep> steps = road.stepsTo(goal->node);
  steps.insert(steps.begin(), run);
  return Crossing{goal->ticks + ticks + priced.addition()[to],
                  space.colours(),
                  std::move(steps),
                  {}};
}

std::optional<Crossing> crossTail(const PricedChain& priced, Layout from,
                                  int64_t maxLooks) {
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
  Road road(space, priced.terrain().wholeMoves(), &walk, tariffsOf(walk),
            std::move(left), 0, ops, std::nullopt);
  std::optional<Road::Goal> goal = road.next(maxLooks);
  if (!goal) return std::nullopt;
  return Crossing{goal->ticks, space.colours(), road.stepsTo(goal->node), {}};
}

}  // namespace sbp::search
