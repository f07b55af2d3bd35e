#include "passes/search/layout/Oracle.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "passes/search/layout/OpCost.h"

namespace sbp::search {
namespace {

/// Divisible by all that rings of up to 16 devices divide by, twice.
constexpr double kBytes = 256 * 81;

int64_t draw(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % (high - low + 1));
}

}  // namespace

Chain randomChain(std::mt19937_64& random) {
  Chain chain;
  static const std::vector<std::vector<int64_t>> kMachines = {
      {4},    {8},       {2, 2}, {4, 2}, {2, 4}, {6},
      {2, 3}, {2, 2, 2}, {3, 2}, {16},   {4, 4}, {8, 2}};
  const auto& counts = kMachines[draw(random, 0, kMachines.size() - 1)];
  int64_t devices = 1;
  for (int64_t count : counts) {
    devices *= count;
    double alpha = static_cast<double>(draw(random, 0, 40)) * 1e-7;
    double beta = static_cast<double>(draw(random, 1, 60)) * 1e-12 *
                  (draw(random, 0, 1) ? 1 : 16);
    chain.levels.push_back({count, {alpha, beta}});
  }
  chain.dims = devices <= 8 && draw(random, 0, 1)
                   ? std::vector<std::string>{"batch", "sequence", "features"}
                   : std::vector<std::string>{"tokens", "features"};
  int64_t dims = chain.numDims();
  auto broadcast = static_cast<Kind>(dims);
  auto size = [&] { return kBytes * static_cast<double>(draw(random, 1, 64)); };
  for (int64_t dim = 0; dim < dims; ++dim)
    chain.extents.push_back(draw(random, 0, 3) == 0 ? draw(random, 1, 4) : 64);
  chain.processor = {1e12, 1e12};
  chain.microBatches = draw(random, 1, 3);
  chain.residualBytes = size();

  auto op = [&](double reads, double makes, bool mayContract) {
    Op made;
    made.name = "op";
    made.readBytes = reads;
    made.madeBytes = makes;
    made.flops = static_cast<double>(draw(random, 0, 400)) * 1e4;
    bool isProduct = mayContract && draw(random, 0, 2) > 0;
    for (Kind dim = 0; dim < dims; ++dim) {
      bool isFeature = dim + 1 == dims;
      Loop loop{"loop", dim, dim,
                draw(random, 0, 3) == 0 ? draw(random, 1, 4) : 64};
      if (isFeature && isProduct) {
        loop.reads = broadcast;
        loop.cutsWeight = true;
      }
      if (!isProduct && draw(random, 0, 3) == 0) loop.exchangedBytes = size();
      // Not every op splits everywhere.
      if (draw(random, 0, 5) > 0) made.loops.push_back(loop);
    }
    if (isProduct) {
      made.loops.push_back({"sum", static_cast<Kind>(dims - 1),
                            static_cast<Kind>(dims + 1), 64, true});
      made.parameters = static_cast<double>(draw(random, 1, 50)) * kBytes;
    }
    return made;
  };
  auto block = [&](int64_t ops, bool fromNothing, bool toNothing) {
    Block made;
    made.name = "block";
    double bytes = fromNothing ? 0 : chain.residualBytes;
    for (int64_t i = 0; i < ops; ++i) {
      bool isLast = i + 1 == ops;
      double next = isLast && !toNothing ? chain.residualBytes : size();
      made.ops.push_back(op(bytes, next, true));
      bytes = next;
    }
    return made;
  };
  chain.head = block(1, true, false);
  chain.tail = block(draw(random, 1, 2), false, true);
  for (int64_t i = draw(random, 1, 2); i > 0; --i) {
    chain.blocks.push_back(block(draw(random, 1, 3), false, false));
    chain.blocks.back().hasSkip = draw(random, 0, 3) > 0;
  }
  Repetition body;
  for (size_t i = 0; i < chain.blocks.size(); ++i) body.blocks.push_back(i);
  body.times = draw(random, 1, 3);
  chain.body.push_back(body);
  return chain;
}

NamedOracle::NamedOracle(const Chain& chain)
    : chain_(chain), numKinds_(chain.numDims() + 2), numPlacements_(1) {
  for (const AxisClass& axes : axisClassesOf(chain.levels))
    for (int64_t i = 0; i < axes.number; ++i) {
      levelOf_.push_back(axes.level);
      primeOf_.push_back(axes.prime);
      numPlacements_ *= numKinds_;
    }
}

int64_t NamedOracle::indexOf(const std::vector<Kind>& kinds) const {
  int64_t index = 0;
  for (Kind kind : kinds) index = index * numKinds_ + kind;
  return index;
}

std::vector<Kind> NamedOracle::kindsOf(int64_t placement) const {
  std::vector<Kind> kinds(levelOf_.size());
  for (size_t axis = kinds.size(); axis-- > 0; placement /= numKinds_)
    kinds[axis] = static_cast<Kind>(placement % numKinds_);
  return kinds;
}

const NamedOracle::Matrix& NamedOracle::distances(double bytes) const {
  Matrix& known = distances_[bytes];
  if (known.empty()) known = computeDistances(bytes);
  return known;
}

NamedOracle::Matrix NamedOracle::computeDistances(double bytes) const {
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
    // Any axes of one level and kind, together, to any other kind.
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
  Matrix all;
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
    all.push_back(std::move(distance));
  }
  return all;
}

bool NamedOracle::isLegalResidual(int64_t placement) const {
  std::vector<Kind> kinds = kindsOf(placement);
  std::vector<int64_t> devices(numKinds_, 1);
  for (size_t axis = 0; axis < kinds.size(); ++axis)
    devices[kinds[axis]] *= primeOf_[axis];
  for (int64_t dim = 0; dim < chain_.numDims(); ++dim)
    if (devices[dim] > chain_.extents[dim]) return false;
  return true;
}

void NamedOracle::add(Label label, Labels& labels) const {
  if (countsBytes_ || labels.empty())
    labels.push_back(label);
  else if (label.ticks < labels.front().ticks)
    labels.front() = label;
}

const std::vector<NamedOracle::State>& NamedOracle::statesOf(
    const Op& op) const {
  std::vector<State>& known = states_[&op];
  if (known.empty()) known = computeStates(op);
  return known;
}

std::vector<NamedOracle::State> NamedOracle::computeStates(const Op& op) const {
  LayoutSpace space(chain_.levels, chain_.numDims());
  OpPricer pricer(chain_, op, space);
  std::vector<State> states;
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
    State state{indexOf(reads), result, {}};
    for (Storage storage : op.storages) {
      TimeAndBytes price = pricer.price(space.layoutOf(counts), storage);
      if (price.ticks < kNever)
        state.labels.push_back({price.ticks, price.bytes});
    }
    state.labels = pruned(state.labels);
    if (!state.labels.empty()) states.push_back(state);
  }
  return states;
}

NamedOracle::Labels NamedOracle::pruned(Labels labels) const {
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
    return std::pair(a.ticks, a.bytes) < std::pair(b.ticks, b.bytes);
  });
  Labels kept;
  for (const Label& label : labels)
    if (kept.empty() || (countsBytes_ && label.bytes < kept.back().bytes))
      kept.push_back(label);
  return kept;
}

std::vector<NamedOracle::Labels> NamedOracle::ticksThrough(
    const Block& block, const std::vector<Labels>& labels, bool fromNothing,
    bool toNothing) const {
  std::vector<Ticks> now(numPlacements_, kNever), next;
  for (size_t x = 0; x < labels.size(); ++x)
    if (!labels[x].empty()) now[x] = labels[x].front().ticks;
  auto go = [&](double bytes) {
    const Matrix& distance = distances(bytes);
    next.assign(numPlacements_, kNever);
    for (int64_t x = 0; x < numPlacements_; ++x) {
      if (now[x] == kNever) continue;
      const Ticks* row = distance[x].data();
      for (int64_t y = 0; y < numPlacements_; ++y) {
        Ticks reached = now[x] + row[y];
        next[y] = reached < next[y] ? reached : next[y];
      }
    }
    now.swap(next);
  };
  for (size_t i = 0; i < block.ops.size(); ++i) {
    if (i > 0 || !fromNothing) go(block.ops[i].readBytes);
    next.assign(numPlacements_, kNever);
    for (const State& state : statesOf(block.ops[i])) {
      Ticks start = i == 0 && fromNothing ? 0 : now[state.reads];
      Ticks& result = next[state.leaves];
      result = std::min(result, start + state.labels.front().ticks);
    }
    now.swap(next);
  }
  if (!toNothing) go(chain_.residualBytes);
  std::vector<Labels> reached(numPlacements_);
  for (int64_t y = 0; y < numPlacements_; ++y)
    if (now[y] < kNever) reached[y] = {{now[y], 0}};
  return reached;
}

std::vector<NamedOracle::Labels> NamedOracle::through(
    const Block& block, std::vector<Labels> labels, bool fromNothing,
    bool toNothing) const {
  if (!countsBytes_) return ticksThrough(block, labels, fromNothing, toNothing);
  auto go = [&](const std::vector<Labels>& from, double bytes) {
    const Matrix& distance = distances(bytes);
    std::vector<Labels> to(numPlacements_);
    for (int64_t x = 0; x < numPlacements_; ++x)
      for (const Label& label : from[x])
        for (int64_t y = 0; y < numPlacements_; ++y)
          if (distance[x][y] < kNever)
            add({label.ticks + distance[x][y], label.bytes}, to[y]);
    for (Labels& labels : to) labels = pruned(labels);
    return to;
  };
  for (size_t i = 0; i < block.ops.size(); ++i) {
    if (i > 0 || !fromNothing) labels = go(labels, block.ops[i].readBytes);
    std::vector<Labels> results(numPlacements_);
    for (const State& state : statesOf(block.ops[i])) {
      Labels& result = results[state.leaves];
      const Labels start =
          i == 0 && fromNothing ? Labels{{0, 0}} : labels[state.reads];
      for (const Label& label : start)
        for (const Label& own : state.labels)
          add({label.ticks + own.ticks, label.bytes + own.bytes}, result);
      result = pruned(result);
    }
    labels = std::move(results);
  }
  return toNothing ? labels : go(labels, chain_.residualBytes);
}

NamedOracle::Labels NamedOracle::solve(bool countsBytes) const {
  countsBytes_ = countsBytes;
  states_.clear();
  LayoutSpace space(chain_.levels, chain_.numDims());
  auto arrive = [&](std::vector<Labels>& labels) {
    double bytes =
        3 * chain_.residualBytes * static_cast<double>(chain_.microBatches);
    for (int64_t x = 0; x < numPlacements_; ++x) {
      if (!isLegalResidual(x)) labels[x].clear();
      double held = 1;
      std::vector<Kind> kinds = kindsOf(x);
      for (size_t axis = 0; axis < kinds.size(); ++axis)
        if (kinds[axis] < chain_.numDims())
          held /= static_cast<double>(primeOf_[axis]);
      for (Label& label : labels[x])
        label.ticks += ticksOf(bytes * held / chain_.processor.bytesPerSecond);
    }
  };
  std::vector<Labels> now = through(chain_.head, {}, true, false);
  arrive(now);
  // What each block costs between any two placements.
  std::map<int64_t, std::vector<std::vector<Labels>>> crossings;
  const Matrix& skips = distances(chain_.residualBytes);
  for (int64_t block : chain_.sequence()) {
    auto& crossing = crossings[block];
    if (crossing.empty())
      for (int64_t x = 0; x < numPlacements_; ++x) {
        std::vector<Labels> from(numPlacements_);
        if (isLegalResidual(x)) from[x] = {{0, 0}};
        crossing.push_back(through(chain_.blocks[block], from, false, false));
        for (int64_t y = 0; y < numPlacements_; ++y)
          if (chain_.blocks[block].hasSkip)
            for (Label& label : crossing[x][y]) label.ticks += skips[x][y];
      }
    std::vector<Labels> next(numPlacements_);
    for (int64_t y = 0; y < numPlacements_; ++y) {
      for (int64_t x = 0; x < numPlacements_; ++x)
        for (const Label& a : now[x])
          for (const Label& b : crossing[x][y])
            add({a.ticks + b.ticks, a.bytes + b.bytes}, next[y]);
      next[y] = pruned(next[y]);
    }
    arrive(next);
    now = std::move(next);
  }
  Labels all;
  for (const Labels& labels : through(chain_.tail, now, false, true))
    all.insert(all.end(), labels.begin(), labels.end());
  return pruned(all);
}

Ticks NamedOracle::optimum() const {
  Labels labels = solve(/*countsBytes=*/false);
  return labels.empty() ? kNever : labels.front().ticks;
}

Ticks NamedOracle::optimumWithin(double bytes) const {
  for (const Label& label : solve(/*countsBytes=*/true))
    if (label.bytes <= bytes) return label.ticks;
  return kNever;
}

double NamedOracle::fewestBytes() const {
  Labels labels = solve(/*countsBytes=*/true);
  return labels.empty() ? kNever : labels.back().bytes;
}

}  // namespace sbp::search
