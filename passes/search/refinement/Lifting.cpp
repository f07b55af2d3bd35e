// Lifted costs of the rows that plans use (ExactSearch.h).

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "passes/search/lifting/BlockTransition.h"
#include "passes/search/lifting/LiftedRows.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {
namespace {

/// Returns a lower bound of the cost of a transition at the price of a byte:
/// the cost of each op may have been rounded down.
Ticks leastSumOf(const BlockTransition& transition, const PricedChain& priced) {
  const TimeAndBytes& cost = transition.cost;
  if (priced.bytePrice() == 0) return cost.ticks;
  return std::floor(cost.ticks + priced.bytePrice() * cost.bytes) -
         static_cast<Ticks>(transition.branch.size());
}

}  // namespace

void ExactSearch::liftIncumbent(int64_t mostPlans) {
  RowLifters lifters;
  int64_t plans = 0;
  // Repeats while counts promise a cheaper plan than the best real one.
  while (planCost_ < incumbentCost_ && !certify(lifters)) {
    findPlan();
    bool isTooMuch = ++plans >= mostPlans || work_ >= mostWork_;
    if (isTooMuch && planCost_ < incumbentCost_) return;
  }
  incumbentCost_ = planCost_;
  incumbent_ = plan_;
  threshold_ = options_.ceiling < kNever ? options_.ceiling : incumbentCost_;
}

bool ExactSearch::certify(RowLifters& lifters) {
  if (!options_.certifies) return true;
  Ticks counted = head_[plan_.front()] + tail_[plan_.back()];
  Ticks lifted = counted;
  for (size_t p = 0; p < blocks_.size(); ++p) {
    const LiftedEntry& entry =
        liftEntry({blocks_[p], plan_[p]}, plan_[p + 1], lifters);
    counted += entry.counted;
    lifted += entry.lifted;
  }
  countBound_ = std::min(countBound_, counted);
  if (lifted == planCost_) return true;
  // At its lifted cost the plan is real.
  if (lifted < incumbentCost_) {
    incumbentCost_ = lifted;
    incumbent_ = plan_;
  }
  planCost_ = incumbentCost_;
  plan_ = incumbent_;
  return false;
}

ExactSearch::RowLifter& ExactSearch::lifterOf(int64_t block,
                                              RowLifters& lifters) {
  auto known = lifters.find(block);
  if (known == lifters.end()) {
    Surroundings around = surroundingsOf(block);
    LiftedRows<Ticks> rows(*priced_, moves(FewMoves::Direction::Forward),
                           moves(FewMoves::Direction::Backward), block,
                           around.behind, options_.mostOrbits);
    known = lifters
                .try_emplace(block,
                             RowLifter{std::move(around), std::move(rows), {}})
                .first;
  }
  return known->second;
}

const ExactSearch::LiftedEntry& ExactSearch::liftEntry(RowKey key, Layout to,
                                                       RowLifters& lifters) {
  LiftedEntry& entry = lifted_[key][to];
  if (entry.isExact) return entry;
  auto [block, from] = key;
  Ticks promised = rows_.ofBlock(block).at(from)[to];
  entry.counted = std::min(entry.counted, promised);
  entry.isExact = true;
  entry.lifted = promised;
  // The skip needs a whole sweep, which takes as long as one stage of a block.
  countWork(block, priced_->space().numLayouts() /
                       (priced_->block(block).numOps() + 1));
  BlockTransitions transitions =
      lifterOf(block, lifters)
          .rows.cheapestTransitions(from, to, promised, options_.maxLooks);
  isCertified_ &= transitions.has_value();
  if (!transitions) return entry;
  entry.lifted = std::max(promised, leastSumOf(transitions->front(), *priced_));
  if (Ticks missing = entry.lifted - promised; missing > 0) {
    // Without this the next plan would be the same one.
    rows_.raise(block, from, to, entry.lifted);
    Ticks threshold = std::min(bound_ + kRefinement.liftedBeyond * missing,
                               std::min(incumbentCost_, options_.ceiling));
    RowLifter& lifter = lifterOf(block, lifters);
    if (lifter.tooWide.count(from) == 0 &&
        !liftRow(key, threshold - lifter.around.before[from],
                 lifter.around.behind, lifter.rows))
      lifter.tooWide.insert(from);
  }
  return entry;
}

bool ExactSearch::areCountsOftenWrong() const {
  return std::count_if(lifted_.begin(), lifted_.end(), [](const auto& row) {
           return std::any_of(
               row.second.begin(), row.second.end(), [](const auto& entry) {
                 return entry.second.lifted > entry.second.counted;
               });
         }) >= kRefinement.manyRaised;
}

const FewMoves& ExactSearch::moves(FewMoves::Direction direction) {
  auto& moves = direction == FewMoves::Direction::Forward ? ahead_ : back_;
  if (!moves)
    moves =
        std::make_unique<FewMoves>(priced_->spaces().wholeMoves(), direction);
  return *moves;
}

bool ExactSearch::liftRow(RowKey key, Ticks budget, const Values& behind,
                          LiftedRows<Ticks>& rows) {
  auto [block, from] = key;
  auto found = rows.row(from, budget);
  std::map<Layout, LiftedEntry>& entries = lifted_[key];
  if (found) {
    const Row& counted = rows.counted();
    auto next = found->begin();
    for (size_t i = 0; i < counted.to.size(); ++i) {
      Layout to = counted.to[i];
      while (next != found->end() && next->first < to) ++next;
      LiftedEntry& entry = entries[to];
      entry.counted = std::min(entry.counted, counted.ticks[i]);
      if (entry.isExact) continue;
      entry.isExact = next != found->end() && next->first == to;
      // An entry that was not found costs more than the budget leaves.
      Ticks least =
          entry.isExact ? next->second : std::floor(budget - behind[to]);
      entry.lifted = std::max({entry.lifted, counted.ticks[i], least});
    }
  }
  Row raised = rows_.ofBlock(block).at(from);
  raiseLifted(key, raised);
  rows_.set(block, from, std::move(raised));
  return found.has_value();
}

void ExactSearch::liftParts(const std::vector<RowKey>& keys) {
  if (!options_.certifies || !areCountsOftenWrong()) return;
  std::map<const Values*, LiftedRows<Ticks>> rooms;
  for (const RowKey& key : keys) {
    const std::map<Layout, Row>& rows = rows_.ofBlock(key.first);
    auto row = rows.find(key.second);
    if (row == rows.end() || !row->second.behind ||
        row->second.to.size() > kRefinement.mostLifted)
      continue;
    std::shared_ptr<const Values> behind = row->second.behind;
    auto [room, unused] = rooms.try_emplace(
        behind.get(), *priced_, moves(FewMoves::Direction::Forward),
        moves(FewMoves::Direction::Backward), key.first, *behind,
        options_.mostOrbits);
    liftRow(key, row->second.others, *behind, room->second);
  }
}

void ExactSearch::raiseLifted(RowKey key, Row& row) const {
  auto known = lifted_.find(key);
  if (known == lifted_.end()) return;
  for (const auto& [to, entry] : known->second) row.raise(to, entry.lifted);
}

}  // namespace sbp::search
