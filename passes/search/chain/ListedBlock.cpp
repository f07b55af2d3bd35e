#include "passes/search/chain/ListedBlock.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbp::search {
namespace {

/// Tolerance: sums in another order are rounded differently.
constexpr Ticks kRoundedUp = 1;

}  // namespace

std::optional<ListedBlock> ListedBlock::of(const PricedChain& priced,
                                           const FewMoves& moves, int64_t block,
                                           const ResultsByOperand& results,
                                           const std::vector<Values>& left,
                                           Starts starts, size_t most) {
  const BlockOperator& blockOperator = priced.block(block);
  ListedBlock listed;
  std::sort(starts.begin(), starts.end());
  FewValues now(priced.space().numLayouts()), next = now;
  for (auto [from, budget] : starts) now.lower(from, -budget);
  listed.starts_ = std::move(starts);
  std::vector<UsedMove> used;
  // Index of the node of each layout: on this stage, and after the op.
  std::vector<int32_t> nodes(priced.space().numLayouts()), ahead = nodes;
  for (int64_t stage = 0; stage <= blockOperator.numOps(); ++stage) {
    bool isLast = stage == blockOperator.numOps();
    used.clear();
    if (!moves.relax(blockOperator.tariff(stage), &left[stage], kRoundedUp,
                     isLast ? Phase::MakeTerms : Phase::Gather, most, now,
                     &used))
      return std::nullopt;
    for (Layout layout : now.layouts()) {
      nodes[layout] = static_cast<int32_t>(listed.layouts_.size());
      listed.layouts_.push_back(layout);
      listed.left_.push_back(left[stage][layout]);
    }
    listed.stageEnds_.push_back(listed.layouts_.size());
    for (const UsedMove& move : used)
      listed.add(nodes[move.from], nodes[move.to], move.ticks);
    if (isLast) break;
    next.clear();
    for (Layout layout : now.layouts())
      results.forEach(stage, layout, [&](Layout result, Ticks ticks) {
        Ticks paid = now[layout] + ticks;
        if (!(paid + left[stage + 1][result] <= kRoundedUp)) return;
        if (next[result] == kNever)
          ahead[result] = static_cast<int32_t>(listed.layouts_.size() +
                                               next.layouts().size());
        next.lower(result, paid);
        listed.add(nodes[layout], ahead[result], ticks);
      });
    std::swap(now, next);
    nodes.swap(ahead);
  }
  return listed;
}

void ListedBlock::add(int32_t from, int32_t to, Ticks ticks) {
  if (runs_.empty() || runs_.back().from != from) runs_.push_back({from, 0});
  to_.push_back(to);
  ticks_.push_back(ticks);
  runs_.back().end = to_.size();
}

bool ListedBlock::has(Layout from, Ticks budget) const {
  auto start =
      std::lower_bound(starts_.begin(), starts_.end(), std::pair(from, budget));
  return start != starts_.end() && start->first == from;
}

void ListedBlock::follow(Layout from, Ticks budget, ByStage& stages) const {
  Values paid(layouts_.size(), kNever);
  // Starts are layouts on the first stage.
  auto start =
      std::find(layouts_.begin(), layouts_.begin() + stageEnds_.front(), from);
  paid[start - layouts_.begin()] = 0;
  size_t next = 0;
  for (const Run& run : runs_) {
    Ticks before = paid[run.from];
    if (before == kNever) {
      next = run.end;
      continue;
    }
    for (; next < run.end; ++next) {
      int32_t to = to_[next];
      Ticks ticks = before + ticks_[next];
      if (ticks < paid[to] && ticks + left_[to] <= budget) paid[to] = ticks;
    }
  }
  size_t node = 0;
  for (size_t end : stageEnds_) {
    auto& stage = stages.emplace_back();
    for (; node < end; ++node)
      if (paid[node] < kNever) stage.push_back({layouts_[node], paid[node]});
  }
}

Values ListedBlock::advance(const Values& values) const {
  Values paid(layouts_.size(), kNever);
  for (size_t node = 0; node < stageEnds_.front(); ++node)
    paid[node] = values[layouts_[node]];
  size_t next = 0;
  for (const Run& run : runs_) {
    Ticks before = paid[run.from];
    for (; next < run.end; ++next)
      paid[to_[next]] = std::min(paid[to_[next]], before + ticks_[next]);
  }
  Values reached(values.size(), kNever);
  for (size_t node = stageEnds_.end()[-2]; node < layouts_.size(); ++node)
    reached[layouts_[node]] = paid[node];
  return reached;
}

Values ListedBlock::retreat(const Values& values) const {
  Values left(layouts_.size(), kNever);
  for (size_t node = stageEnds_.end()[-2]; node < layouts_.size(); ++node)
    left[node] = values[layouts_[node]];
  size_t next = to_.size();
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    size_t begin = std::next(run) == runs_.rend() ? 0 : std::next(run)->end;
    Ticks least = left[run->from];
    while (next > begin) {
      --next;
      least = std::min(least, left[to_[next]] + ticks_[next]);
    }
    left[run->from] = least;
  }
  Values reached(values.size(), kNever);
  for (size_t node = 0; node < stageEnds_.front(); ++node)
    reached[layouts_[node]] = left[node];
  return reached;
}

}  // namespace sbp::search
