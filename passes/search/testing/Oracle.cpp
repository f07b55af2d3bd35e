#include "passes/search/testing/Oracle.h"

#include <algorithm>
#include <queue>

#include "passes/search/chain/OpCost.h"

namespace sbp::search {

PlacementOracle::PlacementOracle(const Chain& chain)
    : chain_(chain), numKinds_(chain.numDims() + 2), numPlacements_(1) {
  for (const AxisClass& axes : axisClassesOf(chain.levels))
    for (int64_t i = 0; i < axes.number; ++i) {
      levelOf_.push_back(axes.level);
      primeOf_.push_back(axes.prime);
      numPlacements_ *= numKinds_;
    }
  for (int64_t x = 0; x < numPlacements_; ++x)
    additions_.push_back(isLegalResidual(x) ? additionAt(x) : kNever);
  addOps(chain.head, /*fromNothing=*/true, /*isInSkip=*/false);
  const Matrix* residualMoves = &distances(chain.residualBytes);
  layers_.push_back({What::Redistribute, nullptr, residualMoves});
  layers_.push_back({What::Arrive});
  for (int64_t block : chain.sequence()) addBlock(chain.blocks[block]);
  addOps(chain.tail, /*fromNothing=*/false, /*isInSkip=*/false);
  layers_.push_back({What::End});
}

void PlacementOracle::addOps(const Block& block, bool fromNothing,
                             bool isInSkip) {
  for (const Op& op : block.ops) {
    auto [states, isNew] = states_.try_emplace(&op);
    if (isNew) states->second = statesOf(op);
    bool isStart = fromNothing && &op == &block.ops.front();
    if (!isStart)
      layers_.push_back(
          {What::Redistribute, nullptr, &distances(op.readBytes), isInSkip});
    layers_.push_back(
        {isStart ? What::Start : What::Run, &op, nullptr, isInSkip});
  }
}

void PlacementOracle::addBlock(const Block& block) {
  const Matrix* moves = &distances(chain_.residualBytes);
  if (block.hasSkip) layers_.push_back({What::Fork});
  addOps(block, /*fromNothing=*/false, block.hasSkip);
  layers_.push_back({What::Redistribute, nullptr, moves, block.hasSkip});
  if (block.hasSkip) layers_.push_back({What::Join, nullptr, moves, true});
  layers_.push_back({What::Arrive});
}

int64_t PlacementOracle::indexOf(const std::vector<Kind>& kinds) const {
  int64_t index = 0;
  for (Kind kind : kinds) index = index * numKinds_ + kind;
  return index;
}

std::vector<Kind> PlacementOracle::kindsOf(int64_t placement) const {
  std::vector<Kind> kinds(levelOf_.size());
  for (size_t axis = kinds.size(); axis-- > 0; placement /= numKinds_)
    kinds[axis] = static_cast<Kind>(placement % numKinds_);
  return kinds;
}

const PlacementOracle::Matrix& PlacementOracle::distances(double bytes) {
  Matrix& known = distances_[bytes];
  if (known.empty()) known = computeDistances(bytes);
  return known;
}

PlacementOracle::Matrix PlacementOracle::computeDistances(double bytes) const {
  auto broadcast = static_cast<Kind>(chain_.numDims());
  auto partial = static_cast<Kind>(broadcast + 1);
  struct Edge {
    int64_t to;
    Ticks ticks;
  };
  std::vector<std::vector<Edge>> edges(numPlacements_);
  for (int64_t at = 0; at < numPlacements_; ++at) {
    std::vector<Kind> kinds = kindsOf(at);
    double held = bytes;
    for (size_t axis = 0; axis < kinds.size(); ++axis)
      if (kinds[axis] < broadcast) held /= static_cast<double>(primeOf_[axis]);
    // Any axes of one level and kind move together to any other kind.
    for (uint64_t chosen = 1; chosen < uint64_t{1} << kinds.size(); ++chosen) {
      int64_t level = -1;
      Kind from = -1;
      double p = 1;
      bool isOne = true;
      for (size_t axis = 0; axis < kinds.size(); ++axis) {
        if (!(chosen >> axis & 1)) continue;
        isOne &= level < 0 || (levelOf_[axis] == level && kinds[axis] == from);
        level = levelOf_[axis];
        from = kinds[axis];
        p *= static_cast<double>(primeOf_[axis]);
      }
      if (!isOne) continue;
      for (Kind to = 0; to < numKinds_; ++to) {
        if (to == from || (from == partial && to == broadcast)) continue;
        double rounds = p - 1, sent = 0;
        if (from < broadcast && to == broadcast)
          sent = (p - 1) * held;
        else if (to < broadcast && from != broadcast)
          sent = (p - 1) * held / p;
        else
          rounds = 0;
        std::vector<Kind> reached = kinds;
        for (size_t axis = 0; axis < kinds.size(); ++axis)
          if (chosen >> axis & 1) reached[axis] = to;
        const Link& link = chain_.levels[level].link;
        edges[at].push_back(
            {indexOf(reached),
             ticksOf(2 * static_cast<double>(chain_.microBatches) *
                     (link.alpha * rounds + link.beta * sent))});
      }
    }
  }
  Matrix all(numPlacements_, std::vector<Ticks>(numPlacements_));
  for (int64_t from = 0; from < numPlacements_; ++from) {
    std::vector<Ticks> distance(numPlacements_, kNever);
    std::priority_queue<std::pair<Ticks, int64_t>> queue;
    distance[from] = 0;
    queue.push({0, from});
    while (!queue.empty()) {
      auto [negative, at] = queue.top();
      queue.pop();
      if (-negative > distance[at]) continue;
      for (const Edge& edge : edges[at])
        if (distance[at] + edge.ticks < distance[edge.to]) {
          distance[edge.to] = distance[at] + edge.ticks;
          queue.push({-distance[edge.to], edge.to});
        }
    }
    for (int64_t to = 0; to < numPlacements_; ++to)
      all[to][from] = distance[to];
  }
  return all;
}

bool PlacementOracle::isLegalResidual(int64_t placement) const {
  std::vector<Kind> kinds = kindsOf(placement);
  std::vector<int64_t> devices(numKinds_, 1);
  for (size_t axis = 0; axis < kinds.size(); ++axis)
    devices[kinds[axis]] *= primeOf_[axis];
  for (int64_t dim = 0; dim < chain_.numDims(); ++dim)
    if (devices[dim] > chain_.extents[dim]) return false;
  return true;
}

Ticks PlacementOracle::additionAt(int64_t placement) const {
  double bytes =
      3 * chain_.residualBytes * static_cast<double>(chain_.microBatches);
  std::vector<Kind> kinds = kindsOf(placement);
  for (size_t axis = 0; axis < kinds.size(); ++axis)
    if (kinds[axis] < chain_.numDims())
      bytes /= static_cast<double>(primeOf_[axis]);
  return ticksOf(bytes / chain_.processor.bytesPerSecond);
}

std::vector<std::vector<PlacementOracle::State>> PlacementOracle::statesOf(
    const Op& op) const {
  LayoutSpace space(chain_.levels, chain_.numDims());
  OpPricer pricer(chain_, op, space);
  std::vector<std::vector<State>> states(numPlacements_);
  for (int64_t result = 0; result < numPlacements_; ++result) {
    std::vector<Kind> kinds = kindsOf(result), reads;
    std::vector<std::vector<int64_t>> counts(
        space.classes().size(), std::vector<int64_t>(numKinds_, 0));
    for (size_t axis = 0; axis < kinds.size(); ++axis) {
      size_t c = 0;
      while (space.classes()[c].level != levelOf_[axis] ||
             space.classes()[c].prime != primeOf_[axis])
        ++c;
      ++counts[c][kinds[axis]];
      Kind read = static_cast<Kind>(chain_.numDims());
      for (const Loop& loop : op.loops)
        if (loop.leaves == kinds[axis]) read = loop.reads;
      reads.push_back(read);
    }
    for (Storage storage : op.storages) {
      TimeAndBytes price = pricer.price(space.layoutOf(counts), storage);
      if (price.ticks < kNever)
        states[indexOf(reads)].push_back(
            {indexOf(reads), result, {price.ticks, price.bytes}});
    }
  }
  return states;
}

int64_t PlacementOracle::numNodes(const Layer& layer) const {
  if (layer.what == What::Start) return 1;
  return layer.isInSkip ? numPlacements_ * numPlacements_ : numPlacements_;
}

template <typename Visit>
void PlacementOracle::forEachEdge(const Layer& layer, int64_t node,
                                  Visit visit) const {
  int64_t at = node % numPlacements_;
  int64_t first = node - at;  // first node with the same residual
  auto run = [&](const std::vector<State>& states) {
    for (const State& state : states) visit(first + state.leaves, state.cost);
  };
  switch (layer.what) {
    case What::Start:
      for (const std::vector<State>& states : states_.at(layer.op)) run(states);
      break;
    case What::Redistribute:
      for (int64_t to = 0; to < numPlacements_; ++to)
        visit(first + to, Cost{(*layer.moves)[to][at]});
      break;
    case What::Run:
      run(states_.at(layer.op)[at]);
      break;
    case What::Fork:
      visit(at * numPlacements_ + at, Cost{});
      break;
    case What::Join:
      visit(at, Cost{(*layer.moves)[at][node / numPlacements_]});
      break;
    case What::Arrive:
      if (additions_[at] < kNever) visit(at, Cost{additions_[at]});
      break;
    case What::End:
      visit(0, Cost{});
      break;
  }
}

const std::vector<std::vector<double>>& PlacementOracle::rests(
    Measure measure) const {
  auto& rests = measure == &Cost::ticks ? fastestRests_ : smallestRests_;
  if (!rests.empty()) return rests;
  rests.resize(layers_.size() + 1);
  rests.back() = {0};
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const std::vector<double>& next = rests[i + 1];
    std::vector<double>& rest = rests[i];
    rest.assign(numNodes(layer), kNever);
    if (layer.what == What::Redistribute) {
      // Most edges are here: the same as below, but for all starts at a time.
      for (size_t first = 0; first < rest.size(); first += numPlacements_)
        for (int64_t to = 0; to < numPlacements_; ++to) {
          const Ticks* ticks = (*layer.moves)[to].data();
          double after = next[first + to];
          if (after == kNever) continue;
          for (int64_t at = 0; at < numPlacements_; ++at) {
            double cost = measure == &Cost::ticks ? ticks[at] : 0;
            rest[first + at] = std::min(rest[first + at], cost + after);
          }
        }
      continue;
    }
    for (size_t node = 0; node < rest.size(); ++node)
      forEachEdge(layer, node, [&](int64_t to, const Cost& cost) {
        rest[node] = std::min(rest[node], cost.*measure + next[to]);
      });
  }
  return rests;
}

Ticks PlacementOracle::optimum() const { return rests(&Cost::ticks)[0][0]; }

double PlacementOracle::fewestBytes() const {
  return rests(&Cost::bytes)[0][0];
}

Ticks PlacementOracle::optimumWithin(double bytes) const {
  if (!(fewestBytes() <= bytes)) return kNever;
  // First keeps the few ways that can end little above the optimum. They
  // suffice if one of them is within the limit.
  for (Ticks above = 1 + optimum() / 256;; above *= 2) {
    Ticks found = optimumWithin(bytes, optimum() + above);
    if (found < kNever) return found;
  }
}

Ticks PlacementOracle::optimumWithin(double bytes, Ticks atMost) const {
  // Non-dominated ways, by bytes: more bytes take less time.
  using Ways = std::map<double, Ticks>;
  auto add = [](const Cost& way, Ways& ways) {
    auto after = ways.upper_bound(way.bytes);
    if (after != ways.begin() && std::prev(after)->second <= way.ticks) return;
    while (after != ways.end() && after->second >= way.ticks)
      after = ways.erase(after);
    ways[way.bytes] = way.ticks;
  };
  std::vector<Ways> now = {{{0, 0}}};
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::vector<double>& fastest = rests(&Cost::ticks)[i + 1];
    const std::vector<double>& smallest = rests(&Cost::bytes)[i + 1];
    std::vector<Ways> next(fastest.size());
    for (size_t node = 0; node < now.size(); ++node) {
      if (now[node].empty()) continue;
      forEachEdge(layers_[i], node, [&](int64_t to, const Cost& cost) {
        for (auto [wayBytes, wayTicks] : now[node]) {
          Cost way = {wayTicks + cost.ticks, wayBytes + cost.bytes};
          if (way.ticks + fastest[to] <= atMost &&
              way.bytes + smallest[to] <= bytes)
            add(way, next[to]);
        }
      });
    }
    now = std::move(next);
  }
  return now[0].empty() ? kNever : now[0].rbegin()->second;
}

}  // namespace sbp::search
