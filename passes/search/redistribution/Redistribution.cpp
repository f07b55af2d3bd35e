#include "passes/search/redistribution/Redistribution.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>

namespace sbp::search {
namespace {

/// Returns the level whose parts are adjacent while steps of `level` are taken:
/// the level with stride 1, or the next one for its own steps. Returns nullopt
/// if there is no other level.
std::optional<int64_t> innerLevel(const LayoutSpace& space, int64_t level) {
  for (int64_t inner : space.levelsInside())
    if (inner != level) return inner;
  return std::nullopt;
}

/// Number of values that processors work on at once, if they can.
constexpr int64_t kVector = 8;

/// Returns the least multiple of kVector that is at least `number`.
int64_t wholeVectors(int64_t number) {
  return (number + kVector - 1) / kVector * kVector;
}

/// A matrix in memory: its first element, and the distance between rows.
template <typename Value>
struct Matrix {
  Value* first = nullptr;
  int64_t stride = 0;
  Value* row(int64_t number) const { return first + number * stride; }
};

/// Copies a matrix of `rows` rows and `columns` columns, transposed.
__attribute__((target_clones("avx512f", "avx2", "default"))) void turn(
    Matrix<const Ticks> from, int64_t rows, int64_t columns, Matrix<Ticks> to) {
  // Squares first; the rest is copied element by element below.
  constexpr int64_t kSide = 4;
  using Four = Ticks __attribute__((vector_size(kSide * sizeof(Ticks))));
  int64_t wholeRows = rows / kSide * kSide;
  int64_t wholeColumns = columns / kSide * kSide;
  for (int64_t row = 0; row < wholeRows; row += kSide)
    for (int64_t column = 0; column < wholeColumns; column += kSide) {
      Four a, b, c, d;
      std::memcpy(&a, from.row(row) + column, sizeof a);
      std::memcpy(&b, from.row(row + 1) + column, sizeof b);
      std::memcpy(&c, from.row(row + 2) + column, sizeof c);
      std::memcpy(&d, from.row(row + 3) + column, sizeof d);
      // First interleaves pairs of rows: their even columns, and their odd
      // ones.
      Four evenOfAb = __builtin_shufflevector(a, b, 0, 4, 2, 6);
      Four oddOfAb = __builtin_shufflevector(a, b, 1, 5, 3, 7);
      Four evenOfCd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
      Four oddOfCd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
      a = __builtin_shufflevector(evenOfAb, evenOfCd, 0, 1, 4, 5);
      b = __builtin_shufflevector(oddOfAb, oddOfCd, 0, 1, 4, 5);
      c = __builtin_shufflevector(evenOfAb, evenOfCd, 2, 3, 6, 7);
      d = __builtin_shufflevector(oddOfAb, oddOfCd, 2, 3, 6, 7);
      std::memcpy(to.row(column) + row, &a, sizeof a);
      std::memcpy(to.row(column + 1) + row, &b, sizeof b);
      std::memcpy(to.row(column + 2) + row, &c, sizeof c);
      std::memcpy(to.row(column + 3) + row, &d, sizeof d);
    }
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = row < wholeRows ? wholeColumns : 0; column < columns;
         ++column)
      to.row(column)[row] = from.row(row)[column];
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
        // Larger sums of indices belong to no layout.
        tariff.lines_.push_back(index < tariff.numHeld_ ? tariff.price(c, index)
                                                        : kNever);
      }
    }
  }
  // Padding: loops read whole vectors.
  tariff.lines_.resize(tariff.lines_.size() + kVector, kNever);
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
#pragma clang loop vectorize(enable) vectorize_predicate(enable)
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
  // Transposes, so that the parts of the next level are adjacent.
  int64_t level = begin->level;
  std::optional<int64_t> inner = innerLevel(*space_, level);
  int64_t parts = space_->numParts(level);
  int64_t length = inner ? space_->numParts(*inner) : 1;
  // Padding values are useless, but do no harm.
  int64_t padded = wholeVectors(length);
  std::vector<Ticks> turned(parts * padded, kNever);
  for (int64_t base = range.first; base < range.last; base += parts * length) {
    int64_t held = heldBeside(base, level, inner);
    Ticks* first = values.data() + base;
    turn({first, parts}, length, parts, {turned.data(), padded});
    for (const Pass* pass = begin; pass != end; ++pass)
      takeSteps(*pass, isBackward, tariff, held, turned.data(), padded, padded);
    turn({turned.data(), padded}, parts, length, {first, parts});
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
  // Between passes of the outermost level its parts are independent, so all
  // other passes run over one part after the other, while it is in the cache.
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
  // Descends: some move always reduces the distance by its price.
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
