#include "passes/search/lifting/LiftedRows.h"

#include <algorithm>
#include <map>
#include <memory>

namespace sbp::search {
namespace {

/// Factor of the promised cost up to which transitions are searched first: most
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
class LiftedRows<Paid>::Spread {
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
LiftedRows<Paid>::LiftedRows(const PricedChain& priced, const FewMoves& ahead,
                             const FewMoves& back, int64_t block,
                             const Values& behind, size_t mostOrbits)
    : priced_(&priced),
      ahead_(&ahead),
      back_(&back),
      block_(block),
      mostOrbits_(mostOrbits),
      blockOperator_(&priced.block(block)),
      ending_(endingOf(behind)),
      rows_(priced, ahead, block,
            std::make_shared<ResultsByOperand>(priced, block), ending_),
      endsOf_(priced.space().numLayouts(), kNever),
      left_(blockOperator_->numOps() + 1),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()),
      spread_(priced.space().numLayouts(), kNever) {}

template <typename Paid>
Values LiftedRows<Paid>::endingOf(const Values& behind) const {
  Values ending = behind;
  for (size_t y = 0; y < ending.size(); ++y)
    ending[y] += priced_->addition()[y];
  return ending;
}

template <typename Paid>
void LiftedRows<Paid>::retreat(const Few& ends, Ticks budget) {
  const std::vector<Few>& come = rows_.stages();
  size_t all = spread_.size();
  now_.clear();
  for (int64_t stage = blockOperator_->numOps(); stage >= 0; --stage) {
    Spread here(come[stage], spread_);
    if (stage == blockOperator_->numOps()) {
      for (const auto& [y, left] : ends) now_.lower(y, left);
      back_->relax(blockOperator_->tariff(stage), &spread_, budget,
                   Phase::MakeTerms, all, now_);
    } else {
      runBackFew(priced_->spaces(), *blockOperator_, stage, now_, spread_,
                 budget, next_);
      std::swap(now_, next_);
      back_->relax(blockOperator_->tariff(stage), &spread_, budget,
                   Phase::Gather, all, now_);
    }
    left_[stage] = fewOf(now_);
  }
}

template <typename Paid>
auto LiftedRows<Paid>::skipsAndEnds() -> Few {
  Spread branch(rows_.stages().back(), spread_);
  Few ends;
  // An entry of the row is the sum of branch, skip and addition.
  for (const auto& [y, ending] : ends_)
    ends.push_back(
        {y, counted_[y] - priced_->addition()[y] - spread_[y] + ending});
  return ends;
}

template <typename Paid>
bool LiftedRows<Paid>::takeBranch(const OrbitCodes& codes, Layout from,
                                  Ticks budget) {
  OrbitSteps<Paid> steps(*priced_, codes, *ahead_);
  branch_.start(codes.start(), from);
  for (int64_t stage = 0; stage <= blockOperator_->numOps(); ++stage) {
    Spread left(left_[stage], spread_);
    OrbitBudget threshold{&spread_, budget, mostOrbits_};
    if (stage > 0) {
      results_.clear();
      steps.run(block_, stage - 1, threshold, branch_, results_);
      std::swap(branch_, results_);
    }
    Phase last =
        stage < blockOperator_->numOps() ? Phase::Gather : Phase::MakeTerms;
    if (!steps.relax(blockOperator_->tariff(stage), threshold, last, branch_))
      return false;
  }
  return true;
}

template <typename Paid>
bool LiftedRows<Paid>::takeSkip(const OrbitCodes& codes, Layout from,
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
  return OrbitSteps<Ticks>(*priced_, codes, *ahead_)
      .relax(tariff, {&spread_, budget, mostOrbits_}, Phase::MakeTerms, skip_);
}

template <typename Paid>
auto LiftedRows<Paid>::row(Layout from, Ticks budget)
    -> std::optional<Entries> {
  counted_ = *rows_.row(from, budget, spread_.size());
  ends_.clear();
  for (Layout y : counted_.to) ends_.push_back({y, ending_[y]});
  return follow(from, budget, Axes::ByStart);
}

template <typename Paid>
auto LiftedRows<Paid>::row(Layout from, Ticks budget, const Few& budgets,
                           Axes axes) -> std::optional<Entries> {
  counted_ = *rows_.row(from, budget, spread_.size());
  ends_.clear();
  for (const auto& [y, own] : budgets)
    if (counted_[y] <= own)
      ends_.push_back({y, budget - own + priced_->addition()[y]});
  return follow(from, budget, axes);
}

template <typename Paid>
BlockTransitions LiftedRows<Paid>::transitions(Layout from, Layout to,
                                               TransitionQuery query) {
  Ticks room = query.budget - priced_->addition()[to];
  counted_ = *rows_.row(from, room + ending_[to], spread_.size());
  if (counted_[to] == kNever) return std::vector<BlockTransition>();
  ends_ = {{to, 0}};
  retreat({{to, 0}}, room - skipsAndEnds().front().second);
  return transitionsOf(*priced_, block_, from, to, left_, query);
}

template <typename Paid>
BlockTransitions LiftedRows<Paid>::cheapestTransitions(Layout from, Layout to,
                                                       Ticks promised,
                                                       int64_t maxLooks) {
  TransitionQuery query{false, promised * kHardlyRaised, maxLooks};
  BlockTransitions found = transitions(from, to, query);
  if (!found || !found->empty()) return found;
  query.budget = kNever;
  return transitionsOf(*priced_, block_, from, to, query);
}

template <typename Paid>
auto LiftedRows<Paid>::follow(Layout from, Ticks budget, Axes axes)
    -> std::optional<Entries> {
  if (ends_.empty()) return Entries();
  Spread ends(ends_, endsOf_);
  OrbitCodes codes(priced_->space(), from, axes);
  if (!codes.fit()) return std::nullopt;
  retreat(skipsAndEnds(), budget);
  if (!takeBranch(codes, from, budget)) return std::nullopt;
  bool hasSkip = blockOperator_->block().hasSkip;
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

template class LiftedRows<Ticks>;
template class LiftedRows<Front>;

}  // namespace sbp::search
