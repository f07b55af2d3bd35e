#include "passes/search/lifting/Road.h"

#include <algorithm>

namespace sbp::search {

Road::Road(const ColouredSpace& space, const PricedChain& priced, RoadMap map,
           Keep keep, Ticks budget)
    : space_(space),
      priced_(priced),
      moves_(priced.terrain().wholeMoves()),
      order_(moves_.order()),
      map_(std::move(map)),
      keep_(keep),
      budget_(budget) {
  Node start;
  start.leg = map_.firstLeg;
  start.cost = {0, 0};
  push(std::move(start), space.start());
}

bool Road::beats(const TimeAndBytes& a, const TimeAndBytes& b) const {
  return keep_ == Keep::Cheapest ? scalar(a) <= scalar(b)
                                 : a.ticks <= b.ticks && a.bytes <= b.bytes;
}

int32_t Road::meet(const ColouredLayout& layout) {
  auto [number, isNew] =
      numbers_.try_emplace(layout, static_cast<int32_t>(met_.size()));
  if (isNew) met_.push_back({layout, space_.forget(layout)});
  return number->second;
}

std::optional<Road::Goal> Road::next(int64_t& looks) {
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
    bool isLast = node.leg == map_.lastLeg;
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

std::vector<CrossingStep> Road::stepsTo(int64_t node) const {
  std::vector<CrossingStep> steps;
  for (; nodes_[node].parent >= 0; node = nodes_[node].parent) {
    steps.push_back(nodes_[node].step);
    steps.back().reached = layoutOf(node);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void Road::push(Node node, const ColouredLayout& layout) {
  node.layout = meet(layout);
  bool isOver = node.leg == map_.lastLeg && !map_.to;
  Ticks left = isOver ? 0 : map_.left[node.leg][met_[node.layout].plain];
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

void Road::move(int64_t index) {
  // A copy, because nodes move as more are pushed.
  ColouredLayout start = layoutOf(index);
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

void Road::moveAxes(int64_t index, int32_t pass, Kind from, Kind to,
                    size_t colour, ColouredLayout& reached, double devices) {
  auto [phase, level] = order_[pass];
  bool isExchange = phase == Phase::Exchange;
  // The next colour that may move.
  while (colour < space_.colours().size() &&
         (space_.classOf(colour).level != level ||
          space_.count(reached, colour, from) == 0 ||
          (!isExchange && devices > 1)))
    ++colour;
  if (colour == space_.colours().size()) {
    if (devices == 1) return;
    Node next = nodes_[index];
    Ticks ticks = moves_.price(*map_.tariffs[next.leg], phase, level, devices,
                               met_[next.layout].plain);
    next.pass = pass;
    next.cost.ticks += ticks;
    next.parent = index;
    next.step = {
        CrossingStep::What::Move, next.leg, phase, level, devices, ticks, {}};
    push(std::move(next), reached);
    return;
  }
  moveAxes(index, pass, from, to, colour + 1, reached, devices);
  int64_t most = space_.count(reached, colour, from);
  if (!isExchange) most = std::min<int64_t>(most, 1);
  for (int64_t taken = 1; taken <= most; ++taken) {
    --space_.count(reached, colour, from);
    ++space_.count(reached, colour, to);
    devices *= static_cast<double>(space_.classOf(colour).prime);
    moveAxes(index, pass, from, to, colour + 1, reached, devices);
  }
  space_.count(reached, colour, from) += static_cast<char>(most);
  space_.count(reached, colour, to) -= static_cast<char>(most);
}

void Road::run(int64_t index) {
  int64_t op = nodes_[index].leg;
  const LayoutSpace& space = space_.plain();
  std::vector<Kind> reads(space.numKinds(), -1);
  reads[space.broadcast()] = space.broadcast();
  for (const Loop& loop : map_.walk->block().ops[op].loops)
    reads[loop.leaves] = loop.reads;
  ColouredLayout left = layoutOf(index), result(left.size(), 0);
  share(index, op, reads, 0, 0, left, result);
}

void Road::share(int64_t index, int64_t op, const std::vector<Kind>& reads,
                 size_t colour, Kind kind, ColouredLayout& left,
                 ColouredLayout& result) {
  const LayoutSpace& space = space_.plain();
  if (colour == space_.colours().size()) {
    ran(index, op, result);
    return;
  }
  if (kind == space.numKinds()) {
    for (Kind unread = 0; unread < space.numKinds(); ++unread)
      if (space_.count(left, colour, unread) > 0) return;
    return share(index, op, reads, colour + 1, 0, left, result);
  }
  share(index, op, reads, colour, kind + 1, left, result);
  if (reads[kind] < 0) return;
  char shared = 0;
  while (space_.count(left, colour, reads[kind]) > 0) {
    ++shared;
    --space_.count(left, colour, reads[kind]);
    ++space_.count(result, colour, kind);
    share(index, op, reads, colour, kind + 1, left, result);
  }
  space_.count(left, colour, reads[kind]) += shared;
  space_.count(result, colour, kind) -= shared;
}

void Road::ran(int64_t index, int64_t op, const ColouredLayout& result) {
  Layout layout = space_.forget(result);
  if (!priced_.terrain().leavesTerms(map_.walk->block().ops[op]))
    layout = priced_.terrain().settledOf(layout);
  if (layout < 0) return;
  for (const OpTable::Way& way : (*map_.tables)[op].ways) {
    if (way.ticks[layout] == kNever) continue;
    double bytes = way.bytes.empty() ? 0 : way.bytes[layout];
    Node next = nodes_[index];
    ++next.leg;
    next.pass = 0;
    next.cost.ticks += way.ticks[layout];
    next.cost.bytes += bytes;
    next.parent = index;
    next.step = {CrossingStep::What::Run, op, Phase::Slice, 0,          1,
                 way.ticks[layout],       {}, bytes,        way.storage};
    push(std::move(next), result);
  }
}

}  // namespace sbp::search
