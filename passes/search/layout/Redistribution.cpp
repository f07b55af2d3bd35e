#include "passes/search/layout/Redistribution.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace sbp::search {
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

bool isMoveOf(Phase phase, const LayoutSpace& space, Kind from, Kind to) {
  Kind broadcast = space.broadcast(), partial = space.partial();
  bool fromDim = from < broadcast, toDim = to < broadcast;
  switch (phase) {
    case Phase::Slice:
      return from == broadcast && toDim;
    case Phase::ReduceScatter:
      return from == partial && toDim;
    case Phase::Exchange:
      return fromDim && toDim && from != to;
    case Phase::Gather:
      return fromDim && to == broadcast;
    case Phase::MakeTerms:
      return from != partial && to == partial;
  }
  return false;
}

Redistribution::Redistribution(const LayoutSpace& space) : space_(&space) {
  listSteps();
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

std::optional<int64_t> Redistribution::collectiveOf(Phase phase, int64_t level,
                                                    double devices) const {
  if (phase == Phase::Slice || phase == Phase::MakeTerms) return std::nullopt;
  Traffic traffic = trafficOf(devices, phase == Phase::Gather ? devices : 1);
  for (size_t c = 0; c < collectives_.size(); ++c)
    if (collectives_[c].level == level && collectives_[c].devices == devices &&
        collectives_[c].perByteHeld.volume == traffic.volume)
      return static_cast<int64_t>(c);
  assert(false && "collectives of all moves are listed");
  return std::nullopt;
}

Ticks Redistribution::price(const Tariff& tariff, Phase phase, int64_t level,
                            double devices, Layout from) const {
  std::optional<int64_t> collective = collectiveOf(phase, level, devices);
  return collective ? tariff.price(*collective, space_->heldIndexOf(from)) : 0;
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
        Ticks ticks = tariff.price(step.collective, space_->heldIndexOf(at));
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
