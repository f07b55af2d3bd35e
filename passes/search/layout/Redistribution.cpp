#include "passes/search/layout/Redistribution.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace sbp::search {
namespace {

double devices(const std::vector<int64_t>& primes) {
  double product = 1;
  for (int64_t prime : primes) product *= static_cast<double>(prime);
  return product;
}

/// Of all ways to exchange over some axes in one all-to-all or in several, what
/// those send that are best somewhere: fewer rounds or fewer bytes. Volumes are
/// parts of what a device holds.
class Exchanges {
 public:
  /// `primes` is ascending.
  const std::vector<Traffic>& of(const std::vector<int64_t>& primes) {
    auto known = lines_.find(primes);
    if (known != lines_.end()) return known->second;
    std::vector<Traffic> lines;
    double p = devices(primes);
    lines.push_back(trafficOf(p, 1));
    // The first axis goes with some of the others; the rest is another
    // exchange.
    for (uint64_t chosen = 0; chosen + 1 < uint64_t{1} << (primes.size() - 1);
         ++chosen) {
      std::vector<int64_t> first = {primes.front()}, others;
      for (size_t i = 1; i < primes.size(); ++i)
        (chosen >> (i - 1) & 1 ? first : others).push_back(primes[i]);
      double q = devices(first);
      for (Traffic more : of(others)) lines.push_back(trafficOf(q, 1) + more);
    }
    return lines_[primes] = undominated(std::move(lines));
  }

 private:
  static std::vector<Traffic> undominated(std::vector<Traffic> lines) {
    std::sort(
        lines.begin(), lines.end(), [](const Traffic& a, const Traffic& b) {
          return std::tie(a.rounds, a.volume) < std::tie(b.rounds, b.volume);
        });
    std::vector<Traffic> kept;
    for (const Traffic& line : lines)
      if (kept.empty() || line.volume < kept.back().volume)
        kept.push_back(line);
    return kept;
  }

  std::map<std::vector<int64_t>, std::vector<Traffic>> lines_;
};

/// Lists the moves of a space, phase by phase.
class MoveLister {
 public:
  explicit MoveLister(const LayoutSpace& space) : space_(space) {}

  std::vector<Move> list() && {
    const Kind broadcast = space_.broadcast(), partial = space_.partial();
    for (Kind dim = 0; dim < space_.numDims(); ++dim)
      addSteps(broadcast, dim, [](double) { return Traffic(); });
    endPhaseFrom(broadcast);
    for (Kind dim = 0; dim < space_.numDims(); ++dim)
      addSteps(partial, dim, [](double p) { return trafficOf(p, 1); });
    endPhaseFrom(partial);
    for (int64_t level = 0;
         level < static_cast<int64_t>(space_.levels().size()); ++level)
      for (Kind from = 0; from < space_.numDims(); ++from)
        for (Kind to = 0; to < space_.numDims(); ++to)
          if (from != to) addExchanges(level, from, to);
    phaseBegin_ = moves_.size();
    for (Kind dim = 0; dim < space_.numDims(); ++dim)
      addSteps(dim, broadcast, [](double p) { return trafficOf(p, p); });
    endPhaseTo(broadcast);
    for (Kind from = 0; from <= broadcast; ++from)
      addSteps(from, partial, [](double) { return Traffic(); });
    endPhaseTo(partial);
    return std::move(moves_);
  }

 private:
  /// `traffic` has volumes as parts of what a device holds before.
  void add(Layout from, Layout to, int64_t level, Traffic traffic) {
    const Link& link = space_.levels()[level].link;
    moves_.push_back(
        {from, to, link.seconds({traffic.rounds, 0}),
         link.seconds({0, traffic.volume}) * space_.heldFraction(from)});
  }

  /// Adds the moves of one axis, of any class, from one kind to another.
  void addSteps(Kind from, Kind to,
                const std::function<Traffic(double)>& price) {
    for (Layout layout = 0; layout < space_.numLayouts(); ++layout)
      for (size_t c = 0; c < space_.classes().size(); ++c) {
        if (space_.count(layout, c, from) == 0) continue;
        const AxisClass& axes = space_.classes()[c];
        add(layout, space_.moved(layout, c, from, to), axes.level,
            price(static_cast<double>(axes.prime)));
      }
  }

  /// Adds all-to-alls of any number of axes of a level at once.
  void addExchanges(int64_t level, Kind from, Kind to) {
    for (Layout layout = 0; layout < space_.numLayouts(); ++layout)
      addExchangesFrom(layout, layout, level, from, to, 0, {});
  }

  /// Adds those that take at least the axes of `primes`, which led from `start`
  /// to `reached`, and others of classes from `axisClass` on.
  void addExchangesFrom(Layout start, Layout reached, int64_t level, Kind from,
                        Kind to, size_t axisClass,
                        std::vector<int64_t> primes) {
    if (axisClass == space_.classes().size()) {
      if (primes.empty()) return;
      for (const Traffic& line : exchanges_.of(primes))
        add(start, reached, level, line);
      return;
    }
    addExchangesFrom(start, reached, level, from, to, axisClass + 1, primes);
    const AxisClass& axes = space_.classes()[axisClass];
    if (axes.level != level) return;
    for (int64_t left = space_.count(start, axisClass, from); left > 0;
         --left) {
      reached = space_.moved(reached, axisClass, from, to);
      primes.push_back(axes.prime);
      addExchangesFrom(start, reached, level, from, to, axisClass + 1, primes);
    }
  }

  int64_t axesOf(Layout layout, Kind kind) const {
    int64_t number = 0;
    for (size_t c = 0; c < space_.classes().size(); ++c)
      number += space_.count(layout, c, kind);
    return number;
  }

  /// Orders the moves of a phase by the rank of their source, which is at most
  /// the number of axes: each comes after those that lead to its source.
  void orderPhase(const std::function<int64_t(Layout)>& rank) {
    std::map<int64_t, std::vector<Move>> byRank;
    for (size_t i = phaseBegin_; i < moves_.size(); ++i)
      byRank[rank(moves_[i].from)].push_back(moves_[i]);
    moves_.resize(phaseBegin_);
    for (const auto& [unused, moves] : byRank)
      moves_.insert(moves_.end(), moves.begin(), moves.end());
    phaseBegin_ = moves_.size();
  }

  /// Ends a phase whose moves all take an axis from `kind`.
  void endPhaseFrom(Kind kind) {
    orderPhase([&](Layout layout) { return -axesOf(layout, kind); });
  }
  /// Ends a phase whose moves all give an axis `kind`.
  void endPhaseTo(Kind kind) {
    orderPhase([&](Layout layout) { return axesOf(layout, kind); });
  }

  const LayoutSpace& space_;
  Exchanges exchanges_;
  std::vector<Move> moves_;
  size_t phaseBegin_ = 0;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Redistribution::Redistribution(const LayoutSpace& space)
    : numLayouts_(space.numLayouts()), moves_(MoveLister(space).list()) {}

void Redistribution::relax(double bytes, std::vector<double>& values) const {
  for (const Move& move : moves_) {
    double reached = values[move.from] + move.cost(bytes);
    if (reached < values[move.to]) values[move.to] = reached;
  }
}

void Redistribution::relaxBackward(double bytes,
                                   std::vector<double>& values) const {
  for (auto move = moves_.rbegin(); move != moves_.rend(); ++move) {
    double reached = values[move->to] + move->cost(bytes);
    if (reached < values[move->from]) values[move->from] = reached;
  }
}

std::vector<Move> Redistribution::path(Layout from, Layout to,
                                       double bytes) const {
  std::vector<double> values(numLayouts_, kInfinity);
  std::vector<const Move*> last(numLayouts_, nullptr);
  values[from] = 0;
  for (const Move& move : moves_) {
    double reached = values[move.from] + move.cost(bytes);
    if (!(reached < values[move.to])) continue;
    values[move.to] = reached;
    last[move.to] = &move;
  }
  std::vector<Move> path;
  for (Layout at = to; at != from; at = path.back().from)
    path.push_back(*last[at]);
  std::reverse(path.begin(), path.end());
  return path;
}

double Redistribution::distance(Layout from, Layout to, double bytes) const {
  double seconds = 0;
  for (const Move& move : path(from, to, bytes)) seconds += move.cost(bytes);
  return seconds;
}

}  // namespace sbp::search
