#include "passes/search/layout/Road.h"

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
  push({space.start(), map_.firstLeg, 0, {0, 0}, -1, {}});
}

bool Road::beats(const TimeAndBytes& a, const TimeAndBytes& b) const {
  return keep_ == Keep::Cheapest ? scalar(a) <= scalar(b)
                                 : a.ticks <= b.ticks && a.bytes <= b.bytes;
}

namespace {

std::string placeOf(const ColouredLayout& layout, int64_t leg, size_t pass) {
  std::string place = layout;
  place.push_back(static_cast<char>(leg));
  place.push_back(static_cast<char>(pass));
  return place;
}

}  // namespace

std::optional<Road::Goal> Road::next(int64_t& looks) {
  while (!queue_.empty() && looks > 0) {
    auto [bound, index] = queue_.top();
    queue_.pop();
    const Node node = nodes_[index];
    const auto& kept = kept_[placeOf(node.layout, node.leg, node.pass)];
    bool isKept =
        std::any_of(kept.begin(), kept.end(), [&](const TimeAndBytes& cost) {
          return cost.ticks == node.cost.ticks && cost.bytes == node.cost.bytes;
        });
    if (!isKept) continue;
    --looks;
    bool isOver = node.leg == map_.lastLeg && !map_.to;
    Layout plain = space_.forget(node.layout);
    if (!isOver) {
      move(index, plain);
      if (node.leg < map_.lastLeg && !space_.hasTerms(node.layout)) run(index);
    }
    if (isOver || (node.leg == map_.lastLeg && plain == *map_.to))
      return Goal{node.cost, index};
  }
  return std::nullopt;
}

std::vector<CrossingStep> Road::stepsTo(int64_t node) const {
  std::vector<CrossingStep> steps;
  for (; nodes_[node].parent >= 0; node = nodes_[node].parent)
    steps.push_back(nodes_[node].step);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void Road::push(Node node) {
  bool isOver = node.leg == map_.lastLeg && !map_.to;
  Ticks left = isOver ? 0 : map_.left[node.leg][space_.forget(node.layout)];
  Ticks bound = scalar(node.cost) + left;
  if (bound == kNever || bound > budget_) return;
  auto& kept = kept_[placeOf(node.layout, node.leg, node.pass)];
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

void Road::move(int64_t index, Layout plain) {
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

void Road::moveAxes(int64_t index, Layout plain, size_t pass, Kind from,
                    Kind to, size_t colour, const ColouredLayout& reached,
                    double devices) {
  auto [phase, level] = order_[pass];
  if (colour == space_.colours().size()) {
    if (devices == 1) return;
    Node next = nodes_[index];
    Ticks ticks =
        moves_.price(*map_.tariffs[next.leg], phase, level, devices, plain);
    next.layout = reached;
    next.pass = pass;
    next.cost.ticks += ticks;
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

void Road::run(int64_t index) {
  int64_t op = nodes_[index].leg;
  const LayoutSpace& space = space_.plain();
  std::vector<Kind> reads(space.numKinds(), -1);
  reads[space.broadcast()] = space.broadcast();
  for (const Loop& loop : map_.walk->block().ops[op].loops)
    reads[loop.leaves] = loop.reads;
  ColouredLayout empty(nodes_[index].layout.size(), 0);
  share(index, op, reads, 0, 0, nodes_[index].layout, empty);
}

void Road::share(int64_t index, int64_t op, const std::vector<Kind>& reads,
                 size_t colour, Kind kind, ColouredLayout left,
                 ColouredLayout result) {
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
  while (space_.count(left, colour, reads[kind]) > 0) {
    --space_.count(left, colour, reads[kind]);
    ++space_.count(result, colour, kind);
    share(index, op, reads, colour, kind + 1, left, result);
  }
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
    next.layout = result;
    ++next.leg;
    next.pass = 0;
    next.cost.ticks += way.ticks[layout];
    next.cost.bytes += bytes;
    next.parent = index;
    next.step = {CrossingStep::What::Run, op,     Phase::Slice, 0,          1,
                 way.ticks[layout],       result, bytes,        way.storage};
    push(std::move(next));
  }
}

}  // namespace sbp::search
