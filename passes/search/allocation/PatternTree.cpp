#include "passes/search/allocation/PatternTree.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "passes/search/allocation/LeastPeriod.h"

namespace sbp::search {
namespace {

constexpr double kNoPath = -std::numeric_limits<double>::infinity();

/// Number of operations up to which a node counts as one.
constexpr int64_t kUsualCount = 30;

}  // namespace

PatternTree::PatternTree(const StageCosts& costs, const Allocation& allocation)
    : costs_(costs),
      allocation_(allocation),
      operations_(operationsOf(costs, allocation)),
      count_(operations_.numbers.count()),
      pairs_(count_ * count_, -1) {
  for (const std::vector<int64_t>& resource : operations_.resources)
    for (size_t i = 0; i < resource.size(); ++i)
      for (size_t j = i + 1; j < resource.size(); ++j) {
        pairs_[resource[i] * count_ + resource[j]] =
            static_cast<int64_t>(sharing_.size());
        sharing_.push_back({resource[i], resource[j]});
      }
  for (size_t i = 0; i < operations_.stages.size(); ++i)
    addRows(static_cast<int64_t>(i));
}

void PatternTree::addRows(int64_t usedProcessor) {
  const std::vector<int64_t>& stages = operations_.stages[usedProcessor];
  const OperationNumbers& numbers = operations_.numbers;
  double room = costs_.problem().room();
  for (int64_t stage : stages)
    room -= costs_.fixedBytes(allocation_[stage].begin, allocation_[stage].end);
  bytesShort_ = std::max(bytesShort_, -room);
  for (int64_t moment : stages) {
    Row row;
    row.room = room;
    const int64_t at = numbers.forward(moment);
    for (int64_t stage : stages) {
      const double bytes =
          costs_.stash(allocation_[stage].begin, allocation_[stage].end);
      const int64_t forward = numbers.forward(stage);
      const int64_t backward = numbers.backward(stage);
      row.terms.push_back({pairOf(at, backward), bytes});
      if (stage < moment) row.terms.push_back({pairOf(forward, at), bytes});
      if (stage > moment) row.terms.push_back({pairOf(at, forward), -bytes});
      if (stage <= moment) row.room -= bytes;
    }
    rows_.push_back(std::move(row));
  }
}

double PatternTree::sequential() const {
  return std::accumulate(operations_.durations.begin(),
                         operations_.durations.end(), 0.0);
}

PatternTree::Node PatternTree::rootAt(double period) const {
  Node node;
  node.paths.assign(count_ * count_, kNoPath);
  for (int64_t from = 0; from < count_; ++from) {
    double path = 0;
    for (int64_t to = from; to < count_; ++to) {
      node.paths[from * count_ + to] = path;
      path += operations_.durations[to];
    }
  }
  // Nothing is gained by more micro-batches between two operations than the
  // whole chain can hold.
  const auto most =
      static_cast<int64_t>(std::ceil(sequential() / period)) + 2 * count_;
  node.ranges.assign(sharing_.size(), {0, most});
  return node;
}

bool PatternTree::addPath(Node& node, int64_t from, int64_t to,
                          double distance) const {
  std::vector<double>& paths = node.paths;
  const double slack = kRounding * period_;
  if (distance <= paths[from * count_ + to] + slack / 16) return true;
  if (distance + paths[to * count_ + from] > slack) return false;
  for (int64_t i = 0; i < count_; ++i) {
    const double toFrom = paths[i * count_ + from];
    if (toFrom == kNoPath) continue;
    const double throughHere = toFrom + distance;
    // If the new path does not shorten the way to `to`, it shortens none.
    if (throughHere <= paths[i * count_ + to]) continue;
    for (int64_t j = 0; j < count_; ++j) {
      double& path = paths[i * count_ + j];
      path = std::max(path, throughHere + paths[to * count_ + j]);
    }
  }
  return true;
}

bool PatternTree::impose(Node& node, int64_t pair) const {
  const auto& [first, second] = sharing_[pair];
  const Range& range = node.ranges[pair];
  return addPath(node, first, second,
                 operations_.durations[first] +
                     static_cast<double>(range.low) * period_) &&
         addPath(node, second, first,
                 operations_.durations[second] -
                     static_cast<double>(range.high + 1) * period_);
}

bool PatternTree::tightenByPaths(Node& node, bool& isChanged) const {
  for (size_t pair = 0; pair < sharing_.size(); ++pair) {
    const auto& [first, second] = sharing_[pair];
    Range& range = node.ranges[pair];
    const double there = node.paths[first * count_ + second];
    const double back = node.paths[second * count_ + first];
    Range tighter = range;
    // The first range whose end is not before the longest path.
    tighter.low = std::max(
        tighter.low, static_cast<int64_t>(std::ceil(
                         (there + operations_.durations[second]) / period_ - 1 -
                         kRounding)));
    if (back != kNoPath)
      tighter.high = std::min(
          tighter.high,
          static_cast<int64_t>(std::floor(
              (-back - operations_.durations[first]) / period_ + kRounding)));
    if (tighter.low > tighter.high) return false;
    if (tighter.low == range.low && tighter.high == range.high) continue;
    range = tighter;
    isChanged = true;
    if (!impose(node, static_cast<int64_t>(pair))) return false;
  }
  return true;
}

bool PatternTree::tightenByMemory(Node& node, bool& isChanged) const {
  for (const Row& row : rows_) {
    double least = 0;
    for (const auto& [pair, bytes] : row.terms)
      least += bytes * static_cast<double>(bytes < 0 ? node.ranges[pair].high
                                                     : node.ranges[pair].low);
    const double room = row.room - least;
    if (room < 0) return false;
    for (const auto& [pair, bytes] : row.terms) {
      Range& range = node.ranges[pair];
      if (bytes == 0) continue;
      const double steps = std::floor(room / std::abs(bytes));
      if (steps >= static_cast<double>(range.high - range.low)) continue;
      if (bytes > 0)
        range.high = range.low + static_cast<int64_t>(steps);
      else
        range.low = range.high - static_cast<int64_t>(steps);
      isChanged = true;
      if (!impose(node, pair)) return false;
    }
  }
  return true;
}

bool PatternTree::propagate(Node& node) const {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    if (!tightenByPaths(node, isChanged) || !tightenByMemory(node, isChanged))
      return false;
  }
  return true;
}

PatternTree::Branch PatternTree::branchOf(const Node& node) const {
  Branch branch;
  int64_t narrowest = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < sharing_.size(); ++i) {
    const auto& [first, second] = sharing_[i];
    const double later = node.paths[second] - node.paths[first];
    const auto periods = static_cast<int64_t>(std::floor(
        (later - operations_.durations[first]) / period_ + kRounding));
    branch.integers.push_back(periods);
    const double end = later + operations_.durations[second];
    if (end <= (static_cast<double>(periods) + 1 + kRounding) * period_)
      continue;
    // The second has started too early for `periods` + 1, and too late for
    // `periods`.
    const Range& range = node.ranges[i];
    if (range.high - range.low >= narrowest) continue;
    narrowest = range.high - range.low;
    branch.pair = static_cast<int64_t>(i);
    branch.lowest = periods + 1;
    branch.isHighFirst = true;
  }
  if (branch.pair >= 0) return branch;
  // No operations overlap. A row that exceeds its memory has a term that may
  // still shrink.
  for (const Row& row : rows_) {
    double bytes = 0, most = 0;
    for (const Term& term : row.terms)
      bytes += term.bytes * static_cast<double>(branch.integers[term.pair]);
    if (bytes <= row.room) continue;
    for (const Term& term : row.terms) {
      const int64_t integer = branch.integers[term.pair];
      const Range& range = node.ranges[term.pair];
      const int64_t best = term.bytes < 0 ? range.high : range.low;
      const double gain = term.bytes * static_cast<double>(integer - best);
      if (gain <= most) continue;
      most = gain;
      branch.pair = term.pair;
      branch.isHighFirst = term.bytes < 0;
      branch.lowest = term.bytes < 0 ? integer + 1 : integer;
    }
    assert(branch.pair >= 0 && "the least of each term fits");
    return branch;
  }
  return branch;
}

Pattern PatternTree::patternOf(const std::vector<int64_t>& integers) const {
  std::vector<PeriodicConstraint> constraints;
  for (int64_t i = 0; i + 1 < count_; ++i)
    constraints.push_back({i, i + 1, operations_.durations[i], 0});
  for (size_t pair = 0; pair < sharing_.size(); ++pair) {
    const auto& [first, second] = sharing_[pair];
    constraints.push_back(
        {first, second, operations_.durations[first], integers[pair]});
    constraints.push_back(
        {second, first, operations_.durations[second], -integers[pair] - 1});
  }
  std::optional<PeriodicStarts> least =
      leastPeriod(count_, constraints, busiest());
  assert(least && "a node had starts");
  return {allocation_, least->period, std::move(least->starts)};
}

bool PatternTree::descend(Node node) {
  if (nodesLeft_-- <= 0) return false;
  if (!propagate(node)) return false;
  const Branch branch = branchOf(node);
  if (branch.pair < 0) {
    found_ = patternOf(branch.integers);
    return true;
  }
  for (const bool isHigh : {branch.isHighFirst, !branch.isHighFirst}) {
    Node child = node;
    Range& range = child.ranges[branch.pair];
    if (isHigh)
      range.low = std::max(range.low, branch.lowest);
    else
      range.high = std::min(range.high, branch.lowest - 1);
    if (range.low <= range.high && impose(child, branch.pair) &&
        descend(std::move(child)))
      return true;
    if (nodesLeft_ <= 0) return false;
  }
  return false;
}

PatternSearch PatternTree::search(double period, int64_t maxNodes) {
  period_ = period;
  // The work of a node grows with the square of the number of operations.
  const int64_t weight =
      std::max<int64_t>(1, count_ * count_ / (kUsualCount * kUsualCount));
  nodesLeft_ = std::max<int64_t>(1, maxNodes / weight);
  const int64_t nodes = nodesLeft_;
  found_.reset();
  if (bytesShort_ > 0) return {std::nullopt, true, 0};
  descend(rootAt(period));
  return {std::move(found_), nodesLeft_ > 0, weight * (nodes - nodesLeft_)};
}

}  // namespace sbp::search
