// Lists the steps of a space in the order of the normal form
// (Redistribution.h).

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "passes/search/redistribution/Redistribution.h"

namespace sbp::search {

/// Lists the steps of a space, phase by phase.
class Redistribution::Lister {
 public:
  explicit Lister(Redistribution& lists)
      : lists_(lists), space_(*lists.space_) {}

  void list() {
    auto numLevels = static_cast<int64_t>(space_.levels().size());
    std::vector<int64_t> bySpeed(numLevels);
    std::iota(bySpeed.begin(), bySpeed.end(), 0);
    std::sort(bySpeed.begin(), bySpeed.end(), [&](int64_t a, int64_t b) {
      double betaOfA = space_.levels()[a].link.beta;
      double betaOfB = space_.levels()[b].link.beta;
      return std::tie(betaOfA, b) < std::tie(betaOfB, a);
    });
    const Kind broadcast = space_.broadcast(), partial = space_.partial();
    bool hasTerms = space_.terms() == Terms::Allowed;

    // The order of levels matters only to reduce-scatters and gathers. For
    // other phases it is chosen such that consecutive passes are of one level.
    for (auto level = bySpeed.rbegin(); level != bySpeed.rend(); ++level) {
      begin(Phase::Slice, *level);
      for (Kind dim = 0; dim < space_.numDims(); ++dim)
        addSteps(broadcast, dim, [](double) { return Traffic(); });
      orderBy([&](int32_t part) { return -axesOf(*level, part, broadcast); });
    }
    if (hasTerms)
      for (int64_t level : bySpeed) {
        begin(Phase::ReduceScatter, level);
        for (Kind dim = 0; dim < space_.numDims(); ++dim)
          addSteps(partial, dim, [](double p) { return trafficOf(p, 1); });
        orderBy([&](int32_t part) { return -axesOf(level, part, partial); });
      }
    for (auto level = bySpeed.rbegin(); level != bySpeed.rend(); ++level)
      for (int64_t round = 0; round < exchangeRounds(*level); ++round)
        for (Kind from = 0; from < space_.numDims(); ++from)
          for (Kind to = 0; to < space_.numDims(); ++to) {
            if (from == to) continue;
            begin(Phase::Exchange, *level);
            addExchanges(from, to);
            orderBy([&](int32_t part) { return -axesOf(*level, part, from); });
          }
    for (auto level = bySpeed.rbegin(); level != bySpeed.rend(); ++level) {
      begin(Phase::Gather, *level);
      for (Kind dim = 0; dim < space_.numDims(); ++dim)
        addSteps(dim, broadcast, [](double p) { return trafficOf(p, p); });
      orderBy([&](int32_t part) { return axesOf(*level, part, broadcast); });
    }
    if (hasTerms)
      for (int64_t level : bySpeed) {
        begin(Phase::MakeTerms, level);
        for (Kind from = 0; from <= broadcast; ++from)
          addSteps(from, partial, [](double) { return Traffic(); });
        orderBy([&](int32_t part) { return axesOf(level, part, partial); });
      }
  }

 private:
  /// Returns the number of rounds over all pairs of dimensions. If all axes of
  /// a level are alike, they move from dimensions that lose axes to dimensions
  /// that win some. Of three dimensions none does both, so one round suffices.
  /// Axes of several classes may gain from moving together and separating
  /// later; each changes direction at most once per dimension.
  int64_t exchangeRounds(int64_t level) const {
    int64_t classes = 0;
    for (const AxisClass& axes : space_.classes())
      classes += axes.level == level;
    return classes <= 1 && space_.numDims() <= 3 ? 1 : space_.numDims() - 1;
  }

  void begin(Phase phase, int64_t level) {
    lists_.passes_.push_back({phase, level, {}});
  }
  Pass& pass() const { return lists_.passes_.back(); }

  int32_t collective(double devices, Traffic traffic) {
    auto [known, isNew] = known_.try_emplace(
        {pass().level, devices, traffic.rounds, traffic.volume},
        static_cast<int32_t>(lists_.collectives_.size()));
    if (isNew) lists_.collectives_.push_back({pass().level, devices, traffic});
    return known->second;
  }

  int32_t partOf(Layout layout) const {
    return static_cast<int32_t>(space_.partOf(layout, pass().level));
  }
  Layout layoutOf(int64_t part) const {
    return static_cast<Layout>(part * space_.stride(pass().level));
  }

  void add(Layout from, Layout to, double devices, Traffic traffic) {
    int32_t part = partOf(from);
    pass().steps.push_back(
        {part, partOf(to), collective(devices, traffic),
         static_cast<int32_t>(space_.heldIndexOfPart(pass().level, part))});
  }

  bool isHere(size_t axisClass) const {
    return space_.classes()[axisClass].level == pass().level;
  }

  /// Adds the steps of one axis of each class, from one kind to another.
  void addSteps(Kind from, Kind to,
                const std::function<Traffic(double)>& traffic) {
    for (int64_t part = 0; part < space_.numParts(pass().level); ++part)
      for (size_t c = 0; c < space_.classes().size(); ++c) {
        Layout layout = layoutOf(part);
        if (!isHere(c) || space_.count(layout, c, from) == 0) continue;
        auto p = static_cast<double>(space_.classes()[c].prime);
        add(layout, space_.moved(layout, c, from, to), p, traffic(p));
      }
  }

  /// Adds all-to-alls of any number of axes at once.
  void addExchanges(Kind from, Kind to) {
    for (int64_t part = 0; part < space_.numParts(pass().level); ++part)
      addExchangesFrom(layoutOf(part), layoutOf(part), from, to, 0, 1);
  }

  /// Adds all-to-alls from `start`. Each moves the axes by which `reached`
  /// differs from `start`, which make `devices` devices, and any axes of class
  /// `axisClass` and later classes.
  void addExchangesFrom(Layout start, Layout reached, Kind from, Kind to,
                        size_t axisClass, double devices) {
    if (axisClass == space_.classes().size()) {
      if (devices > 1) add(start, reached, devices, trafficOf(devices, 1));
      return;
    }
    addExchangesFrom(start, reached, from, to, axisClass + 1, devices);
    if (!isHere(axisClass)) return;
    for (int64_t left = space_.count(start, axisClass, from); left > 0;
         --left) {
      reached = space_.moved(reached, axisClass, from, to);
      devices *= static_cast<double>(space_.classes()[axisClass].prime);
      addExchangesFrom(start, reached, from, to, axisClass + 1, devices);
    }
  }

  int64_t axesOf(int64_t level, int32_t part, Kind kind) const {
    int64_t number = 0;
    for (size_t c = 0; c < space_.classes().size(); ++c)
      if (space_.classes()[c].level == level)
        number += space_.count(layoutOf(part), c, kind);
    return number;
  }

  /// Sorts the steps of a pass by the rank of their starts.
  void orderBy(const std::function<int64_t(int32_t)>& rank) {
    std::map<int64_t, std::vector<Step>> byRank;
    for (const Step& step : pass().steps)
      byRank[rank(step.from)].push_back(step);
    pass().steps.clear();
    for (const auto& [unused, steps] : byRank)
      pass().steps.insert(pass().steps.end(), steps.begin(), steps.end());
    if (pass().steps.empty()) lists_.passes_.pop_back();
  }

  Redistribution& lists_;
  const LayoutSpace& space_;
  std::map<std::tuple<int64_t, double, double, double>, int32_t> known_;
};

void Redistribution::listSteps() { Lister(*this).list(); }

}  // namespace sbp::search
