#include "passes/search/layout/NamedPin.h"

#include <algorithm>
#include <utility>

namespace sbp::search {
namespace {

/// Layouts that are swept over in the time of following one coloured layout.
constexpr size_t kSweptPerLayout = 50;

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
  result_.start(codes_.start(), pinned.pin().result);
  legsBack_.resize(back_.size());
  legsAhead_.resize(ahead_.size());
}

bool NamedPin::goBack(Ticks limit) {
  auto [position, op, result] = pinned_->pin();
  int64_t block = priced_->blockAt(position);
  const Few* results = &result_;
  size_t numResults = limit_ == -kNever ? 0 : 1;
  for (int64_t leg = op; leg >= 0; --leg) {
    Few& layouts = legsBack_[leg];
    ColouredReach reach{
        &back_[leg], limit, kMostColoured, {limit_, numResults}};
    if (!backByPhase_.empty()) reach.leftInPhase = &backByPhase_[leg];
    size_t before = layouts.all().size();
    stepsBack_.runBack(block, leg, reach, *results, layouts);
    reach.before.numLayouts = before;
    if (!stepsBack_.relax(pinned_->walk().tariff(leg), reach, Phase::Gather,
                          layouts))
      return false;
    results = &layouts;
    numResults = before;
  }
  return true;
}

size_t NamedPin::numFollowed() const {
  size_t number = 0;
  for (const auto* legs : {&legsBack_, &legsAhead_})
    for (const Few& leg : *legs) number += leg.all().size();
  return number;
}

void NamedPin::boundByPhase() {
  const Walk& walk = pinned_->walk();
  int64_t op = pinned_->pin().op;
  for (int64_t leg = 0; leg <= op; ++leg)
    backByPhase_.push_back(walk.paidInPhases(
        leg, leg == 0 ? sumOf(come_, ofSkip_)
                      : walk.paidBefore(leg, back_[leg - 1])));
  for (int64_t leg = op + 1; leg <= walk.numOps(); ++leg)
    aheadByPhase_.push_back(walk.leftInPhases(
        leg, leg == walk.numOps()
                 ? sumOf(sumOf(toSkip_, rest_), priced_->addition())
                 : walk.leftBehind(leg, ahead_[leg - op])));
}

bool NamedPin::goAhead(Ticks limit) {
  auto [position, op, result] = pinned_->pin();
  int64_t block = priced_->blockAt(position);
  const Walk& walk = pinned_->walk();
  const Few* operands = nullptr;
  size_t numOperands = 0;
  for (size_t i = 0; i < ahead_.size(); ++i) {
    int64_t leg = op + 1 + static_cast<int64_t>(i);
    Few& layouts = legsAhead_[i];
    ColouredReach reach{
        &ahead_[i], limit, kMostColoured, {limit_, numOperands}};
    if (!aheadByPhase_.empty()) reach.leftInPhase = &aheadByPhase_[i];
    size_t before = layouts.all().size();
    if (operands)
      stepsAhead_.run(block, leg - 1, reach, *operands, layouts);
    else
      layouts.lower(codes_.start(), result, 0, 0);
    reach.before.numLayouts = before;
    Phase last = leg < walk.numOps() ? Phase::Gather : Phase::MakeTerms;
    if (!stepsAhead_.relax(walk.tariff(leg), reach, last, layouts))
      return false;
    operands = &layouts;
    numOperands = before;
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
  if (limit <= limit_) return true;
  if (aheadByPhase_.empty() && numFollowed() * kSweptPerLayout > come_.size())
    boundByPhase();
  if (!goBack(limit) || !goAhead(limit)) return false;
  limit_ = limit;
  fits_.between(legsBack_.front(), legsAhead_.back(), limit);
  return true;
}

std::optional<NamedPin::Way> NamedPin::cheapest(Ticks limit) {
  // Without a skip nothing has to fit, so counts are exact.
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
