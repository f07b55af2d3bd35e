#include "passes/search/layout/NarrowRows.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

NarrowRows::NarrowRows(const PricedChain& priced, const FewMoves& moves,
                       int64_t block, Values ending)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      ending_(std::move(ending)),
      left_(walk_->leftOnLegs(walk_->numOps(), ending_)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {
  for (int64_t op = 0; op < walk_->numOps(); ++op) {
    const std::vector<Layout>& reads = walk_->reads(op);
    Results& results = results_.emplace_back();
    results.begins.assign(priced.terrain().settled().numLayouts() + 1, 0);
    for (size_t r = 0; r < reads.size(); ++r)
      if (walk_->cost(op)[r] < kNever) ++results.begins[reads[r] + 1];
    for (size_t i = 1; i < results.begins.size(); ++i)
      results.begins[i] += results.begins[i - 1];
    results.results.resize(results.begins.back());
    std::vector<int32_t> next = results.begins;
    for (size_t r = 0; r < reads.size(); ++r)
      if (walk_->cost(op)[r] < kNever)
        results.results[next[reads[r]]++] = static_cast<Layout>(r);
  }
}

bool NarrowRows::follow(Layout from, Ticks budget, size_t most) {
  const Terrain& terrain = priced_->terrain();
  now_.clear();
  now_.lower(from, 0);
  looked_ = 0;
  for (int64_t op = 0; op < walk_->numOps(); ++op) {
    bool areFew = moves_->relax(walk_->tariff(op), &left_[op], budget,
                                Phase::Gather, most, now_);
    looked_ += now_.layouts().size();
    if (!areFew) return false;
    bool leavesTerms = terrain.leavesTerms(walk_->block().ops[op]);
    next_.clear();
    for (Layout layout : now_.layouts()) {
      Layout operand = terrain.settledOf(layout);
      if (operand < 0) continue;
      const Results& results = results_[op];
      for (int32_t i = results.begins[operand]; i < results.begins[operand + 1];
           ++i) {
        Layout own = results.results[i];
        Layout result = leavesTerms ? own : terrain.settledInWhole()[own];
        Ticks ticks = now_[layout] + walk_->cost(op)[own];
        if (ticks + left_[op + 1][result] <= budget) next_.lower(result, ticks);
      }
    }
    std::swap(now_, next_);
  }
  return moves_->relax(walk_->tariff(walk_->numOps()), &left_.back(), budget,
                       Phase::MakeTerms, most, now_);
}

std::optional<Row> NarrowRows::row(Layout from, Ticks budget, size_t most) {
  if (!follow(from, budget, most)) return std::nullopt;
  Row row;
  row.isWhole = false;
  Ticks room = -kNever;
  for (Layout y : now_.layouts())
    if (Ticks rest = budget - now_[y] - ending_[y]; rest >= 0) {
      row.to.push_back(y);
      room = std::max(room, rest);
    }
  std::sort(row.to.begin(), row.to.end());
  bool hasSkip = walk_->block().hasSkip;
  if (hasSkip) {
    next_.clear();
    next_.lower(from, 0);
    if (!moves_->relax(priced_->skipTariff(), nullptr, room, Phase::MakeTerms,
                       most, next_))
      return std::nullopt;
  }
  size_t kept = 0;
  for (Layout y : row.to) {
    Ticks ticks = now_[y] + (hasSkip ? next_[y] : 0);
    if (!(ticks + ending_[y] <= budget)) continue;
    row.to[kept++] = y;
    row.ticks.push_back(ticks + priced_->addition()[y]);
  }
  row.to.resize(kept);
  return row;
}

}  // namespace sbp::search
