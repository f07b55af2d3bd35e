#include "passes/search/layout/NarrowRows.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

namespace {

Values less(Values values, const std::shared_ptr<const Values>& distances) {
  if (distances)
    for (size_t i = 0; i < values.size(); ++i) values[i] -= (*distances)[i];
  return values;
}

}  // namespace

ResultsByOperand::ResultsByOperand(const PricedChain& priced, int64_t block) {
  const Walk& walk = priced.block(block);
  for (int64_t op = 0; op < walk.numOps(); ++op) {
    const std::vector<Layout>& reads = walk.reads(op);
    Results& results = ops_.emplace_back();
    // One more than needed, so that every operand has an end.
    results.begins.assign(priced.terrain().settled().numLayouts() + 2, 0);
    for (size_t r = 0; r < reads.size(); ++r)
      if (walk.cost(op)[r] < kNever) ++results.begins[reads[r] + 1];
    for (size_t i = 1; i < results.begins.size(); ++i)
      results.begins[i] += results.begins[i - 1];
    results.results.resize(results.begins.back());
    std::vector<int32_t> next = results.begins;
    for (size_t r = 0; r < reads.size(); ++r)
      if (walk.cost(op)[r] < kNever)
        results.results[next[reads[r]]++] = static_cast<Layout>(r);
  }
}

NarrowRows::NarrowRows(const PricedChain& priced, const FewMoves& moves,
                       int64_t block,
                       std::shared_ptr<const ResultsByOperand> results,
                       Values ending, std::shared_ptr<const Values> toAnchor)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      ending_(std::move(ending)),
      left_(walk_->leftOnLegs(walk_->numOps(), less(ending_, toAnchor))),
      results_(std::move(results)),
      toAnchor_(std::move(toAnchor)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {}

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
      for (const Layout* r = results_->begin(op, operand);
           r != results_->end(op, operand); ++r) {
        Layout own = *r;
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
  auto toAnchor = [&](Layout layout) {
    return toAnchor_ ? (*toAnchor_)[layout] : 0;
  };
  if (!follow(from, budget - toAnchor(from), most)) return std::nullopt;
  Row row;
  row.isWhole = false;
  Ticks room = -kNever;
  for (Layout y : now_.layouts()) {
    Ticks rest = budget - now_[y] - ending_[y];
    if (!(rest >= std::max(0.0, toAnchor(from) - toAnchor(y)))) continue;
    row.to.push_back(y);
    room = std::max(room, rest + toAnchor(y));
  }
  std::sort(row.to.begin(), row.to.end());
  bool hasSkip = walk_->block().hasSkip;
  if (hasSkip) {
    next_.clear();
    next_.lower(from, 0);
    if (!moves_->relax(priced_->skipTariff(), toAnchor_.get(), room,
                       Phase::MakeTerms, most, next_))
      return std::nullopt;
    looked_ += next_.layouts().size();
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
