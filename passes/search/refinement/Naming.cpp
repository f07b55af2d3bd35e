// Named costs of the rows that plans use (ExactSearch.h).

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "passes/search/lifting/Crossing.h"
#include "passes/search/lifting/NamedRows.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {
namespace {

/// If counts promised too little for an entry, other entries of its row may
/// take its place, and are named too. They are those that matter to plans up to
/// some cost: the bound plus this multiple of what was promised too little.
constexpr double kNamedBeyond = 4;

/// Number of rows with wrong counts from which on counts are often wrong.
constexpr int64_t kManyRaised = 8;

/// Most entries of a narrow row that is named beforehand.
constexpr size_t kMostNamed = 200;

/// Returns a lower bound of the cost of a crossing at the price of a byte: the
/// cost of each op may have been rounded down.
Ticks leastSumOf(const Crossing& crossing, const PricedChain& priced) {
  const TimeAndBytes& cost = crossing.cost;
  if (priced.bytePrice() == 0) return cost.ticks;
  return std::floor(cost.ticks + priced.bytePrice() * cost.bytes) -
         static_cast<Ticks>(crossing.branch.size());
}

}  // namespace

void ExactSearch::settle(int64_t mostPlans) {
  Namers namers;
  int64_t plans = 0;
  // Repeats while counts promise a cheaper plan than the best real one.
  while (planCost_ < settledCost_ && !certify(namers)) {
    findPlan();
    bool isTooMuch = ++plans >= mostPlans || work_ >= mostWork_;
    if (isTooMuch && planCost_ < settledCost_) return;
  }
  settledCost_ = planCost_;
  settled_ = plan_;
  reach_ = options_.ceiling < kNever ? options_.ceiling : settledCost_;
}

bool ExactSearch::certify(Namers& namers) {
  if (!options_.certifies) return true;
  Ticks counted = head_[plan_.front()] + tail_[plan_.back()];
  Ticks named = counted;
  for (size_t p = 0; p < blocks_.size(); ++p) {
    const NamedEntry& entry =
        nameEntry({blocks_[p], plan_[p]}, plan_[p + 1], namers);
    counted += entry.counted;
    named += entry.named;
  }
  countBound_ = std::min(countBound_, counted);
  if (named == planCost_) return true;
  // At its named cost the plan is real.
  if (named < settledCost_) {
    settledCost_ = named;
    settled_ = plan_;
  }
  planCost_ = settledCost_;
  plan_ = settled_;
  return false;
}

ExactSearch::Namer& ExactSearch::namerOf(int64_t block, Namers& namers) {
  auto known = namers.find(block);
  if (known == namers.end()) {
    Surroundings around = surroundingsOf(block);
    NamedRows<Ticks> rows(*priced_, moves(FewMoves::Direction::Forward),
                          moves(FewMoves::Direction::Backward), block,
                          around.behind, options_.mostColoured);
    known =
        namers.try_emplace(block, Namer{std::move(around), std::move(rows), {}})
            .first;
  }
  return known->second;
}

const ExactSearch::NamedEntry& ExactSearch::nameEntry(RowName name, Layout to,
                                                      Namers& namers) {
  NamedEntry& entry = named_[name][to];
  if (entry.isExact) return entry;
  auto [block, from] = name;
  Ticks promised = rows_.ofBlock(block).at(from)[to];
  entry.counted = std::min(entry.counted, promised);
  entry.isExact = true;
  entry.named = promised;
  // The skip needs a whole walk, which takes as long as one leg of a block.
  countWork(block, priced_->space().numLayouts() /
                       (priced_->block(block).numOps() + 1));
  Crossings crossings =
      namerOf(block, namers)
          .rows.cheapestCrossings(from, to, promised, options_.maxLooks);
  isCertified_ &= crossings.has_value();
  if (!crossings) return entry;
  entry.named = std::max(promised, leastSumOf(crossings->front(), *priced_));
  if (Ticks missing = entry.named - promised; missing > 0) {
    // Without this the next plan would be the same one.
    rows_.raise(block, from, to, entry.named);
    Ticks reach = std::min(bound_ + kNamedBeyond * missing,
                           std::min(settledCost_, options_.ceiling));
    Namer& namer = namerOf(block, namers);
    if (namer.tooWide.count(from) == 0 &&
        !nameRow(name, reach - namer.around.before[from], namer.around.behind,
                 namer.rows))
      namer.tooWide.insert(from);
  }
  return entry;
}

bool ExactSearch::areCountsOftenWrong() const {
  return std::count_if(named_.begin(), named_.end(), [](const auto& row) {
           return std::any_of(
               row.second.begin(), row.second.end(), [](const auto& entry) {
                 return entry.second.named > entry.second.counted;
               });
         }) >= kManyRaised;
}

const FewMoves& ExactSearch::moves(FewMoves::Direction direction) {
  auto& moves = direction == FewMoves::Direction::Forward ? ahead_ : back_;
  if (!moves)
    moves =
        std::make_unique<FewMoves>(priced_->terrain().wholeMoves(), direction);
  return *moves;
}

bool ExactSearch::nameRow(RowName name, Ticks budget, const Values& behind,
                          NamedRows<Ticks>& rows) {
  auto [block, from] = name;
  auto found = rows.row(from, budget);
  std::map<Layout, NamedEntry>& entries = named_[name];
  if (found) {
    const Row& counted = rows.counted();
    auto next = found->begin();
    for (size_t i = 0; i < counted.to.size(); ++i) {
      Layout to = counted.to[i];
      while (next != found->end() && next->first < to) ++next;
      NamedEntry& entry = entries[to];
      entry.counted = std::min(entry.counted, counted.ticks[i]);
      if (entry.isExact) continue;
      entry.isExact = next != found->end() && next->first == to;
      // An entry that was not found costs more than the budget leaves.
      Ticks least =
          entry.isExact ? next->second : std::floor(budget - behind[to]);
      entry.named = std::max({entry.named, counted.ticks[i], least});
    }
  }
  Row raised = rows_.ofBlock(block).at(from);
  raiseNamed(name, raised);
  rows_.set(block, from, std::move(raised));
  return found.has_value();
}

void ExactSearch::nameParts(const std::vector<RowName>& names) {
  if (!options_.certifies || !areCountsOftenWrong()) return;
  std::map<const Values*, NamedRows<Ticks>> rooms;
  for (const RowName& name : names) {
    const std::map<Layout, Row>& rows = rows_.ofBlock(name.first);
    auto row = rows.find(name.second);
    if (row == rows.end() || !row->second.behind ||
        row->second.to.size() > kMostNamed)
      continue;
    std::shared_ptr<const Values> behind = row->second.behind;
    auto [room, unused] = rooms.try_emplace(
        behind.get(), *priced_, moves(FewMoves::Direction::Forward),
        moves(FewMoves::Direction::Backward), name.first, *behind,
        options_.mostColoured);
    nameRow(name, row->second.others, *behind, room->second);
  }
}

void ExactSearch::raiseNamed(RowName name, Row& row) const {
  auto known = named_.find(name);
  if (known == named_.end()) return;
  for (const auto& [to, entry] : known->second) row.raise(to, entry.named);
}

}  // namespace sbp::search
