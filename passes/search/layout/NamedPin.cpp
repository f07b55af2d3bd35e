#include "passes/search/layout/NamedPin.h"

#include <algorithm>
#include <utility>

namespace sbp::search {
namespace {

Values sumOf(Values a, const Values& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

}  // namespace

NamedPin::NamedPin(const PricedChain& priced, const PinnedWalk& pinned,
                   const FewMoves& ahead, const FewMoves& back, Values come,
                   Values rest)
    : priced_(&priced),
      pinned_(&pinned),
      codes_(priced.space(), pinned.pin().result, Axes::Named),
      come_(std::move(come)),
      rest_(std::move(rest)),
      toSkip_(pinned.skip(sumOf(pinned.before(), come_))),
      ofSkip_(pinned.skipBack(sumOf(pinned.behind(), rest_))),
      counted_(join(toSkip_)),
      stepsAhead_(priced, codes_, ahead),
      stepsBack_(priced, codes_, back),
      fits_(priced, codes_, ahead, back, {come_, rest_, toSkip_, ofSkip_}) {
  const Walk& walk = pinned.walk();
  int64_t op = pinned.pin().op;
  ahead_ = walk.leftOnLegs(op + 1, walk.numOps(),
                           sumOf(sumOf(toSkip_, rest_), priced.addition()));
  back_ = walk.paidOnLegs(op, sumOf(come_, ofSkip_));
}

bool NamedPin::goBack(Ticks limit) {
  auto [position, op, result] = pinned_->pin();
  int64_t block = priced_->blockAt(position);
  Few results;
  starts_.start(codes_.start(), result);
  for (int64_t leg = op; leg >= 0; --leg) {
    ColouredReach reach{&back_[leg], limit, kMostColoured};
    std::swap(starts_, results);
    stepsBack_.runBack(block, leg, reach, results, starts_);
    if (!stepsBack_.relax(pinned_->walk().tariff(leg), reach, starts_))
      return false;
  }
  return true;
}

bool NamedPin::goAhead(Ticks limit) {
  auto [position, op, result] = pinned_->pin();
  int64_t block = priced_->blockAt(position);
  Few operands;
  ends_.start(codes_.start(), result);
  for (size_t i = 0; i < ahead_.size(); ++i) {
    int64_t leg = op + 1 + static_cast<int64_t>(i);
    ColouredReach reach{&ahead_[i], limit, kMostColoured};
    if (i > 0) {
      std::swap(ends_, operands);
      stepsAhead_.run(block, leg - 1, reach, operands, ends_);
    }
    if (!stepsAhead_.relax(pinned_->walk().tariff(leg), reach, ends_))
      return false;
  }
  return true;
}

NamedPin::Way NamedPin::join(const Values& toSkip) const {
  Values ways = sumOf(sumOf(toSkip, pinned_->behind()), rest_);
  Layout to = cheapestOf(ways);
  Values starts = sumOf(pinned_->before(), come_);
  if (pinned_->hasSkip()) starts = sumOf(starts, priced_->skipTo(to));
  return wayOf(ways[to], cheapestOf(starts), to);
}

bool NamedPin::follow(Ticks limit) {
  if (limit == limit_) return true;
  if (!goBack(limit) || !goAhead(limit)) return false;
  limit_ = limit;
  fits_.between(starts_, ends_);
  return true;
}

std::optional<NamedPin::Way> NamedPin::cheapest(Ticks limit) {
  // Without a skip nothing has to fit: what counts promise is true.
  if (!pinned_->hasSkip()) {
    Way way = join(pinned_->skip(sumOf(pinned_->before(), come_)));
    return way.cost <= limit ? way : Way();
  }
  if (!codes_.fit() || !follow(limit)) return std::nullopt;
  return cheapestFit(limit);
}

NamedPin::Way NamedPin::offered(Ticks limit) {
  if (!pinned_->hasSkip()) return Way();
  return cheapestFit(limit).value_or(Way());
}

std::optional<NamedPin::Way> NamedPin::cheapestFit(Ticks limit) {
  std::optional<SkipFits::Fit> fit = fits_.cheapest(limit);
  if (!fit) return std::nullopt;
  return fit->cost == kNever ? Way() : wayOf(fit->cost, fit->from, fit->to);
}

}  // namespace sbp::search
