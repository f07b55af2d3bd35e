#include "passes/search/lifting/TransitionSearch.h"

#include <algorithm>

namespace sbp::search {

TransitionSearch::TransitionSearch(const StabiliserSpace& space,
                                   const PricedChain& priced,
                                   TransitionProblem map, Keep keep,
                                   Ticks budget)
    : space_(space),
      priced_(priced),
      moves_(priced.spaces().wholeMoves()),
      order_(moves_.order()),
      map_(std::move(map)),
      keep_(keep),
      budget_(budget) {
  Node start;
  start.stage = map_.firstStage;
  start.cost = {0, 0};
  push(std::move(start), space.start());
}

bool TransitionSearch::beats(const TimeAndBytes& a,
                             const TimeAndBytes& b) const {
  return keep_ == Keep::Cheapest ? scalar(a) <= scalar(b)
                                 : a.ticks <= b.ticks && a.bytes <= b.bytes;
}

int32_t TransitionSearch::meet(const StabiliserOrbit& layout) {
  auto [number, isNew] =
      numbers_.try_emplace(layout, static_cast<int32_t>(met_.size()));
  if (isNew) met_.push_back({layout, space_.layoutOf(layout)});
  return number->second;
}

std::optional<TransitionSearch::Goal> TransitionSearch::next(int64_t& looks) {
  while (!queue_.empty() && looks > 0) {
    int64_t index = queue_.top().second;
    queue_.pop();
    const Node node = nodes_[index];
    const auto& kept = kept_[placeOf(node)];
    bool isKept =
        std::any_of(kept.begin(), kept.end(), [&](const TimeAndBytes& cost) {
          return cost.ticks == node.cost.ticks && cost.bytes == node.cost.bytes;
        });
    if (!isKept) continue;
    --looks;
    bool isLast = node.stage == map_.lastStage;
    bool isOver = isLast && !map_.to;
    if (!isOver) {
      move(index);
      if (!isLast && !space_.hasTerms(met_[node.layout].layout)) run(index);
    }
    if (isOver || (isLast && met_[node.layout].plain == *map_.to))
      return Goal{node.cost, index};
  }
  return std::nullopt;
}

std::vector<TransitionStep> TransitionSearch::stepsTo(int64_t node) const {
  std::vector<TransitionStep> steps;
  for (; nodes_[node].parent >= 0; node = nodes_[node].parent) {
    steps.push_back(nodes_[node].step);
    steps.back().reached = layoutOf(node);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void TransitionSearch::push(Node node, const StabiliserOrbit& layout) {
  node.layout = meet(layout);
  bool isOver = node.stage == map_.lastStage && !map_.to;
  Ticks left = isOver ? 0 : map_.left[node.stage][met_[node.layout].plain];
  Ticks bound = scalar(node.cost) + left;
  if (bound == kNever || bound > budget_) return;
  auto& kept = kept_[placeOf(node)];
  for (const TimeAndBytes& cost : kept)
    if (beats(cost, node.cost)) return;
  kept.erase(std::remove_if(kept.begin(), kept.end(),
                            [&](const TimeAndBytes& cost) {
                              return beats(node.cost, cost);
                            }),
             kept.end());
  kept.push_back(node.cost);
  queue_.push({bound, static_cast<int64_t>(nodes_.size())});
  nodes_.push_back(std::move(node));
}

void TransitionSearch::move(int64_t index) {
  // A copy, because nodes move as more are pushed.
  StabiliserOrbit start = layoutOf(index);
  auto numPasses = static_cast<int32_t>(order_.size());
  for (int32_t pass = nodes_[index].pass; pass < numPasses; ++pass) {
    auto [phase, level] = order_[pass];
    const LayoutSpace& space = space_.plain();
    for (Kind from = 0; from < space.numKinds(); ++from)
      for (Kind to = 0; to < space.numKinds(); ++to)
        if (isMoveOf(phase, space, from, to))
          moveAxes(index, pass, from, to, 0, start, 1);
  }
}

void TransitionSearch::moveAxes(int64_t index, int32_t pass, Kind from, Kind to,
                                size_t axisOrbit, StabiliserOrbit& reached,
                                double devices) {
  auto [phase, level] = order_[pass];
  bool isExchange = phase == Phase::Exchange;
  // The next axis orbit that may move.
  while (axisOrbit < space_.axisOrbits().size() &&
         (space_.classOf(axisOrbit).level != level ||
          space_.count(reached, axisOrbit, from) == 0 ||
          (!isExchange && devices > 1)))
    ++axisOrbit;
  if (axisOrbit == space_.axisOrbits().size()) {
    if (devices == 1) return;
    Node next = nodes_[index];
    Ticks ticks = moves_.price(*map_.tariffs[next.stage], phase, level, devices,
                               met_[next.layout].plain);
    next.pass = pass;
    next.cost.ticks += ticks;
    next.parent = index;
    next.step = {TransitionStep::What::Move,
                 next.stage,
                 phase,
                 level,
                 devices,
                 ticks,
                 {}};
    push(std::move(next), reached);
    return;
  }
  moveAxes(index, pass, from, to, axisOrbit + 1, reached, devices);
  int64_t most = space_.count(reached, axisOrbit, from);
  if (!isExchange) most = std::min<int64_t>(most, 1);
  for (int64_t taken = 1; taken <= most; ++taken) {
    --space_.count(reached, axisOrbit, from);
    ++space_.count(reached, axisOrbit, to);
    devices *= static_cast<double>(space_.classOf(axisOrbit).prime);
    moveAxes(index, pass, from, to, axisOrbit + 1, reached, devices);
  }
  space_.count(reached, axisOrbit, from) += static_cast<char>(most);
  space_.count(reached, axisOrbit, to) -= static_cast<char>(most);
}

void TransitionSearch::run(int64_t index) {
  int64_t op = nodes_[index].stage;
  const LayoutSpace& space = space_.plain();
  std::vector<Kind> reads(space.numKinds(), -1);
  reads[space.broadcast()] = space.broadcast();
  for (const Loop& loop : map_.blockOperator->block().ops[op].loops)
    reads[loop.leaves] = loop.reads;
  StabiliserOrbit left = layoutOf(index), result(left.size(), 0);
  share(index, op, reads, 0, 0, left, result);
}

void TransitionSearch::share(int64_t index, int64_t op,
                             const std::vector<Kind>& reads, size_t axisOrbit,
                             Kind kind, StabiliserOrbit& left,
                             StabiliserOrbit& result) {
  const LayoutSpace& space = space_.plain();
  if (axisOrbit == space_.axisOrbits().size()) {
    ran(index, op, result);
    return;
  }
  if (kind == space.numKinds()) {
    for (Kind unread = 0; unread < space.numKinds(); ++unread)
      if (space_.count(left, axisOrbit, unread) > 0) return;
    return share(index, op, reads, axisOrbit + 1, 0, left, result);
  }
  share(index, op, reads, axisOrbit, kind + 1, left, result);
  if (reads[kind] < 0) return;
  char shared = 0;
  while (space_.count(left, axisOrbit, reads[kind]) > 0) {
    ++shared;
    --space_.count(left, axisOrbit, reads[kind]);
    ++space_.count(result, axisOrbit, kind);
    share(index, op, reads, axisOrbit, kind + 1, left, result);
  }
  space_.count(left, axisOrbit, reads[kind]) += shared;
  space_.count(result, axisOrbit, kind) -= shared;
}

void TransitionSearch::ran(int64_t index, int64_t op,
                           const StabiliserOrbit& result) {
  Layout layout = space_.layoutOf(result);
  if (!priced_.spaces().leavesTerms(map_.blockOperator->block().ops[op]))
    layout = priced_.spaces().operandOf(layout);
  if (layout < 0) return;
  for (const OpTable::Way& way : (*map_.tables)[op].ways) {
    if (way.ticks[layout] == kNever) continue;
    double bytes = way.bytes.empty() ? 0 : way.bytes[layout];
    Node next = nodes_[index];
    ++next.stage;
    next.pass = 0;
    next.cost.ticks += way.ticks[layout];
    next.cost.bytes += bytes;
    next.parent = index;
    next.step = {TransitionStep::What::Run, op, Phase::Slice, 0,          1,
                 way.ticks[layout],         {}, bytes,        way.storage};
    push(std::move(next), result);
  }
}

}  // namespace sbp::search
