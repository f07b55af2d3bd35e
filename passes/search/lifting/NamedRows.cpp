#include "passes/search/lifting/NamedRows.h"

#include <algorithm>
#include <map>
#include <memory>

namespace sbp::search {
namespace {

/// Factor of the promised cost up to which crossings are searched first: most
/// cost no more, and few layouts are on the way.
constexpr double kHardlyRaised = 1 + 1.0 / 32;

std::vector<std::pair<Layout, Ticks>> fewOf(const FewValues& values) {
  std::vector<std::pair<Layout, Ticks>> few;
  for (Layout layout : values.layouts())
    few.push_back({layout, values[layout]});
  return few;
}

}  // namespace

template <typename Paid>
class NamedRows<Paid>::Spread {
 public:
  /// All of `values` must be never; they are never again after this object.
  Spread(const Few& few, Values& values) : few_(few), values_(values) {
    for (const auto& [layout, ticks] : few) values[layout] = ticks;
  }
  ~Spread() {
    for (const auto& [layout, unused] : few_) values_[layout] = kNever;
  }
  Spread(const Spread&) = delete;

 private:
  const Few& few_;
  Values& values_;
};

template <typename Paid>
NamedRows<Paid>::NamedRows(const PricedChain& priced, const FewMoves& ahead,
                           const FewMoves& back, int64_t block,
                           const Values& behind, size_t mostColoured)
    : priced_(&priced),
      ahead_(&ahead),
      back_(&back),
      block_(block),
      mostColoured_(mostColoured),
      walk_(&priced.block(block)),
      ending_(endingOf(behind)),
      rows_(priced, ahead, block,
            std::make_shared<ResultsByOperand>(priced, block), ending_),
      endsOf_(priced.space().numLayouts(), kNever),
      left_(walk_->numOps() + 1),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()),
      spread_(priced.space().numLayouts(), kNever) {}

template <typename Paid>
Values NamedRows<Paid>::endingOf(const Values& behind) const {
  Values ending = behind;
  for (size_t y = 0; y < ending.size(); ++y)
    ending[y] += priced_->addition()[y];
  return ending;
}

template <typename Paid>
void NamedRows<Paid>::retreat(const Few& ends, Ticks budget) {
  const std::vector<Few>& come = rows_.legs();
  size_t all = spread_.size();
  now_.clear();
  for (int64_t leg = walk_->numOps(); leg >= 0; --leg) {
    Spread here(come[leg], spread_);
    if (leg == walk_->numOps()) {
      for (const auto& [y, left] : ends) now_.lower(y, left);
      back_->relax(walk_->tariff(leg), &spread_, budget, Phase::MakeTerms, all,
                   now_);
    } else {
      runBackFew(priced_->terrain(), *walk_, leg, now_, spread_, budget, next_);
      std::swap(now_, next_);
      back_->relax(walk_->tariff(leg), &spread_, budget, Phase::Gather, all,
                   now_);
    }
    left_[leg] = fewOf(now_);
  }
}

template <typename Paid>
auto NamedRows<Paid>::skipsAndEnds() -> Few {
  Spread branch(rows_.legs().back(), spread_);
  Few ends;
  // An entry of the row is the sum of branch, skip and addition.
  for (const auto& [y, ending] : ends_)
    ends.push_back(
        {y, counted_[y] - priced_->addition()[y] - spread_[y] + ending});
  return ends;
}

template <typename Paid>
bool NamedRows<Paid>::takeBranch(const ColourCodes& codes, Layout from,
                                 Ticks budget) {
  ColouredSteps<Paid> steps(*priced_, codes, *ahead_);
  branch_.start(codes.start(), from);
  for (int64_t leg = 0; leg <= walk_->numOps(); ++leg) {
    Spread left(left_[leg], spread_);
    ColouredReach reach{&spread_, budget, mostColoured_};
    if (leg > 0) {
      results_.clear();
      steps.run(block_, leg - 1, reach, branch_, results_);
      std::swap(branch_, results_);
    }
    Phase last = leg < walk_->numOps() ? Phase::Gather : Phase::MakeTerms;
    if (!steps.relax(walk_->tariff(leg), reach, last, branch_)) return false;
  }
  return true;
}

template <typename Paid>
bool NamedRows<Paid>::takeSkip(const ColourCodes& codes, Layout from,
                               Ticks budget) {
  // The ends of the branch bound the cost of the skip, from its end back to its
  // start.
  Ticks room = -kNever;
  next_.clear();
  for (const auto& entry : branch_.all()) {
    Ticks left = entry.least + endsOf_[entry.plain];
    if (!(left <= budget)) continue;
    room = std::max(room, budget - left);
    next_.lower(entry.plain, left);
  }
  const Tariff& tariff = priced_->skipTariff();
  size_t all = spread_.size();
  now_.clear();
  now_.lower(from, 0);
  ahead_->relax(tariff, nullptr, room, Phase::MakeTerms, all, now_);
  Few come = fewOf(now_);
  {
    Spread reached(come, spread_);
    back_->relax(tariff, &spread_, budget, Phase::MakeTerms, all, next_);
  }
  Few few = fewOf(next_);
  Spread left(few, spread_);
  skip_.start(codes.start(), from);
  return ColouredSteps<Ticks>(*priced_, codes, *ahead_)
      .relax(tariff, {&spread_, budget, mostColoured_}, Phase::MakeTerms,
             skip_);
}

template <typename Paid>
auto NamedRows<Paid>::row(Layout from, Ticks budget) -> std::optional<Entries> {
  counted_ = *rows_.row(from, budget, spread_.size());
  ends_.clear();
  for (Layout y : counted_.to) ends_.push_back({y, ending_[y]});
  return follow(from, budget, Axes::Named);
}

template <typename Paid>
auto NamedRows<Paid>::row(Layout from, Ticks budget, const Few& budgets,
                          Axes axes) -> std::optional<Entries> {
  counted_ = *rows_.row(from, budget, spread_.size());
  ends_.clear();
  for (const auto& [y, own] : budgets)
    if (counted_[y] <= own)
      ends_.push_back({y, budget - own + priced_->addition()[y]});
  return follow(from, budget, axes);
}

template <typename Paid>
Crossings NamedRows<Paid>::crossings(Layout from, Layout to,
                                     CrossingQuery query) {
  Ticks room = query.budget - priced_->addition()[to];
  counted_ = *rows_.row(from, room + ending_[to], spread_.size());
  if (counted_[to] == kNever) return std::vector<Crossing>();
  ends_ = {{to, 0}};
  retreat({{to, 0}}, room - skipsAndEnds().front().second);
  return cross(*priced_, block_, from, to, left_, query);
}

template <typename Paid>
Crossings NamedRows<Paid>::cheapestCrossings(Layout from, Layout to,
                                             Ticks promised, int64_t maxLooks) {
  CrossingQuery query{false, promised * kHardlyRaised, maxLooks};
  Crossings found = crossings(from, to, query);
  if (!found || !found->empty()) return found;
  query.budget = kNever;
  return cross(*priced_, block_, from, to, query);
}

template <typename Paid>
auto NamedRows<Paid>::follow(Layout from, Ticks budget, Axes axes)
    -> std::optional<Entries> {
  if (ends_.empty()) return Entries();
  Spread ends(ends_, endsOf_);
  ColourCodes codes(priced_->space(), from, axes);
  if (!codes.fit()) return std::nullopt;
  retreat(skipsAndEnds(), budget);
  if (!takeBranch(codes, from, budget)) return std::nullopt;
  bool hasSkip = walk_->block().hasSkip;
  if (hasSkip && !takeSkip(codes, from, budget)) return std::nullopt;
  std::map<Layout, Paid> entries;
  for (const auto& entry : branch_.all()) {
    Ticks around = 0;
    if (hasSkip) {
      const auto* skip = skip_.find(entry.code);
      if (!skip) continue;
      around = skip->paid;
    }
    if (!(entry.least + around + endsOf_[entry.plain] <= budget)) continue;
    Ticks room = budget - endsOf_[entry.plain];
    Paid paid = laterWithin(room, priced_->bytePrice(), entry.paid, around);
    auto [known, isNew] = entries.try_emplace(entry.plain, neverPaid<Paid>());
    lowerTo(paid, known->second);
  }
  Entries row;
  for (auto& [layout, paid] : entries)
    row.push_back(
        {layout, laterWithin(kNever, 0, paid, priced_->addition()[layout])});
  return row;
}

template class NamedRows<Ticks>;
template class NamedRows<Front>;

}  // namespace sbp::search
