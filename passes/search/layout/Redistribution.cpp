#include "passes/search/layout/Redistribution.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

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

    // The order of levels matters to reduce-scatters and gathers only; that of
    // the others lets neighbouring passes be of one level.
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
  /// Axes that are alike flow from the dimensions that lose some to those that
  /// win some, and of three dimensions none can do both: one round over the
  /// pairs of dimensions will do. Axes that are told apart may gain from going
  /// together where they part later; each needs to change direction at most
  /// once per dimension.
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

  /// Adds the steps of one axis, of any class, from one kind to another.
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

  /// Adds those that take at least the axes of `devices` devices, which led
  /// from `start` to `reached`, and others of classes from `axisClass` on.
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

  /// Orders the steps of a pass by the rank of where they start.
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

namespace {

/// The level whose parts lie next to each other while steps of `level` are
/// taken: the one that runs fastest, except for its own steps. None, if there
/// is no other level.
std::optional<int64_t> innerLevel(const LayoutSpace& space, int64_t level) {
  for (int64_t inner : space.levelsInside())
    if (inner != level) return inner;
  return std::nullopt;
}

/// Copies a matrix of `rows` rows of `columns` each, transposed.
void turn(const Ticks* from, int64_t columns, int64_t rows, Ticks* to) {
  // Some rows at a time, so that what is written lies together.
  constexpr int64_t kTogether = 16;
  for (int64_t begin = 0; begin < rows; begin += kTogether) {
    int64_t end = std::min(rows, begin + kTogether);
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = begin; row < end; ++row)
        to[column * rows + row] = from[row * columns + column];
  }
}

}  // namespace

Redistribution::Redistribution(const LayoutSpace& space) : space_(&space) {
  Lister(*this).list();
  reversed_.assign(passes_.rbegin(), passes_.rend());
  for (Pass& pass : reversed_)
    std::reverse(pass.steps.begin(), pass.steps.end());
}

Tariff Redistribution::tariff(double bytes, double times) const {
  Tariff tariff;
  const std::vector<double>& held = space_->heldFractions();
  tariff.numHeld_ = static_cast<int64_t>(held.size());
  for (const Collective& collective : collectives_)
    for (double fraction : held) {
      const Link& link = space_->levels()[collective.level].link;
      tariff.prices_.push_back(ticksOf(
          times *
          link.seconds({collective.perByteHeld.rounds,
                        collective.perByteHeld.volume * fraction * bytes})));
    }
  for (size_t c = 0; c < collectives_.size(); ++c) {
    std::optional<int64_t> inner = innerLevel(*space_, collectives_[c].level);
    int64_t length = inner ? space_->numParts(*inner) : 1;
    for (int64_t h = 0; h < tariff.numHeld_; ++h) {
      tariff.lineBegins_.push_back(static_cast<int64_t>(tariff.lines_.size()));
      for (int64_t part = 0; part < length; ++part) {
        int64_t index = inner ? h + space_->heldIndexOfPart(*inner, part) : h;
        // No layout holds less than all axes leave.
        tariff.lines_.push_back(index < tariff.numHeld_ ? tariff.price(c, index)
                                                        : kNever);
      }
    }
  }
  return tariff;
}

// Compiled for several processors; the best is chosen at run time.
__attribute__((target_clones("avx512f", "avx2", "default"))) void
Redistribution::takeSteps(const Pass& pass, bool isBackward,
                          const Tariff& tariff, int64_t heldIndex,
                          Ticks* values, int64_t stride, int64_t length) {
  for (const Step& step : pass.steps) {
    const Ticks* cost =
        tariff.line(step.collective, step.heldIndex + heldIndex);
    const Ticks* __restrict read =
        values + (isBackward ? step.to : step.from) * stride;
    Ticks* __restrict write =
        values + (isBackward ? step.from : step.to) * stride;
    for (int64_t i = 0; i < length; ++i) {
      Ticks reached = read[i] + cost[i];
      write[i] = reached < write[i] ? reached : write[i];
    }
  }
}

void Redistribution::runFastestLevel(const Pass* begin, const Pass* end,
                                     bool isBackward, const Tariff& tariff,
                                     Range range,
                                     std::vector<Ticks>& values) const {
  // The parts of the next level are brought side by side.
  int64_t level = begin->level;
  std::optional<int64_t> inner = innerLevel(*space_, level);
  int64_t parts = space_->numParts(level);
  int64_t length = inner ? space_->numParts(*inner) : 1;
  std::vector<Ticks> turned(parts * length);
  for (int64_t base = range.first; base < range.last; base += parts * length) {
    int64_t held = heldBeside(base, level, inner);
    turn(values.data() + base, parts, length, turned.data());
    for (const Pass* pass = begin; pass != end; ++pass)
      takeSteps(*pass, isBackward, tariff, held, turned.data(), length, length);
    turn(turned.data(), length, parts, values.data() + base);
  }
}

int64_t Redistribution::heldBeside(int64_t layout, int64_t level,
                                   std::optional<int64_t> inner) const {
  int64_t held = 0;
  for (int64_t other : space_->levelsInside())
    if (other != level && other != inner)
      held += space_->heldIndexOfPart(
          other, space_->partOf(static_cast<Layout>(layout), other));
  return held;
}

void Redistribution::run(const Pass* begin, const Pass* end, bool isBackward,
                         const Tariff& tariff, Range range,
                         std::vector<Ticks>& values) const {
  int64_t level = begin->level, inner = space_->levelsInside()[0];
  if (level == inner)
    return runFastestLevel(begin, end, isBackward, tariff, range, values);
  int64_t stride = space_->stride(level), length = space_->numParts(inner);
  for (int64_t outer = range.first; outer < range.last;
       outer += stride * space_->numParts(level))
    for (int64_t base = outer; base < outer + stride; base += length) {
      int64_t held = heldBeside(base, level, inner);
      for (const Pass* pass = begin; pass != end; ++pass)
        takeSteps(*pass, isBackward, tariff, held, values.data() + base, stride,
                  length);
    }
}

void Redistribution::sweep(const std::vector<Pass>& passes, bool isBackward,
                           const Tariff& tariff, std::vector<Ticks>& values,
                           Phase first, Phase last) const {
  const Pass* begin = passes.data();
  const Pass* end = begin + passes.size();
  while (begin != end && (begin->phase < first || begin->phase > last)) ++begin;
  while (begin != end && (end[-1].phase < first || end[-1].phase > last)) --end;
  Range all{0, space_->numLayouts()};
  if (space_->levels().size() < 3)
    return runAll(begin, end, isBackward, tariff, all, values);
  // Between passes of the outermost level, its parts have nothing to do with
  // each other: all other passes go over one after the other, while it is near.
  int64_t outermost = space_->levelsInside().back();
  auto isOutermost = [&](const Pass& pass) { return pass.level == outermost; };
  while (begin != end) {
    if (isOutermost(*begin)) {
      const Pass* next = std::find_if_not(begin, end, isOutermost);
      run(begin, next, isBackward, tariff, all, values);
      begin = next;
      continue;
    }
    const Pass* next = std::find_if(begin, end, isOutermost);
    for (int64_t base = 0; base < all.last; base += space_->stride(outermost))
      runAll(begin, next, isBackward, tariff,
             {base, base + space_->stride(outermost)}, values);
    begin = next;
  }
}

void Redistribution::runAll(const Pass* begin, const Pass* end, bool isBackward,
                            const Tariff& tariff, Range range,
                            std::vector<Ticks>& values) const {
  while (begin != end) {
    const Pass* next = begin + 1;
    while (next != end && next->level == begin->level) ++next;
    run(begin, next, isBackward, tariff, range, values);
    begin = next;
  }
}

void Redistribution::relax(const Tariff& tariff, std::vector<Ticks>& values,
                           Phase first, Phase last) const {
  sweep(passes_, /*isBackward=*/false, tariff, values, first, last);
}

void Redistribution::relaxBackward(const Tariff& tariff,
                                   std::vector<Ticks>& values, Phase first,
                                   Phase last) const {
  sweep(reversed_, /*isBackward=*/true, tariff, values, first, last);
}

std::vector<Ticks> Redistribution::distancesFrom(const Tariff& tariff,
                                                 Layout from) const {
  std::vector<Ticks> values(space_->numLayouts(), kNever);
  values[from] = 0;
  relax(tariff, values);
  return values;
}

std::vector<Ticks> Redistribution::distancesTo(const Tariff& tariff,
                                               Layout to) const {
  std::vector<Ticks> values(space_->numLayouts(), kNever);
  values[to] = 0;
  relaxBackward(tariff, values);
  return values;
}

Ticks Redistribution::price(const Tariff& tariff, Phase phase, int64_t level,
                            double devices, Layout from) const {
  bool isFree = phase == Phase::Slice || phase == Phase::MakeTerms;
  if (isFree) return 0;
  Traffic traffic = trafficOf(devices, phase == Phase::Gather ? devices : 1);
  int64_t held = 0;
  for (size_t other = 0; other < space_->levels().size(); ++other)
    held += space_->heldIndexOfPart(other, space_->partOf(from, other));
  for (size_t c = 0; c < collectives_.size(); ++c)
    if (collectives_[c].level == level && collectives_[c].devices == devices &&
        collectives_[c].perByteHeld.volume == traffic.volume)
      return tariff.price(c, held);
  return kNever;
}

std::vector<std::pair<Phase, int64_t>> Redistribution::order() const {
  std::vector<std::pair<Phase, int64_t>> order;
  for (const Pass& pass : passes_)
    if (order.empty() || order.back() != std::pair(pass.phase, pass.level))
      order.push_back({pass.phase, pass.level});
  return order;
}

std::vector<Move> Redistribution::path(const Tariff& tariff, Layout from,
                                       Layout to) const {
  // Downhill: some move always comes nearer by what it costs.
  std::vector<Ticks> left = distancesTo(tariff, to);
  std::vector<Move> path;
  for (Layout at = from; at != to; at = path.back().to) {
    Move best;
    Ticks least = kNever;
    for (const Pass& pass : passes_) {
      int64_t part = space_->partOf(at, pass.level);
      for (const Step& step : pass.steps) {
        if (step.from != part) continue;
        auto next = static_cast<Layout>(at + (step.to - step.from) *
                                                 space_->stride(pass.level));
        int64_t held = 0;
        for (size_t level = 0; level < space_->levels().size(); ++level)
          held += space_->heldIndexOfPart(level, space_->partOf(at, level));
        Ticks ticks = tariff.price(step.collective, held);
        if (!(ticks + left[next] < least)) continue;
        least = ticks + left[next];
        best = {at,
                next,
                pass.phase,
                pass.level,
                collectives_[step.collective].devices,
                ticks};
      }
    }
    path.push_back(best);
  }
  return path;
}

}  // namespace sbp::search
