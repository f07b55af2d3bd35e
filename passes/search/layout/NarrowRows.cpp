#include "passes/search/layout/NarrowRows.h"

#include <utility>

namespace sbp::search {

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

void runBackFew(const Terrain& terrain, const Walk& walk, int64_t op,
                const FewValues& results, const Values& paid, Ticks budget,
                FewValues& operands) {
  bool leavesTerms = terrain.leavesTerms(walk.block().ops[op]);
  operands.clear();
  for (Layout result : results.layouts()) {
    Layout own = leavesTerms ? result : terrain.settledOf(result);
    if (own < 0) continue;
    Layout operand = terrain.settledInWhole()[walk.reads(op)[own]];
    Ticks ticks = results[result] + walk.cost(op)[own];
    if (ticks + paid[operand] <= budget) operands.lower(operand, ticks);
  }
}

NarrowRows::NarrowRows(const PricedChain& priced, const FewMoves& moves,
                       int64_t block,
                       std::shared_ptr<const ResultsByOperand> results,
                       Values ending, std::shared_ptr<const Values> toAnchor)
    : priced_(&priced),
      moves_(&moves),
      walk_(&priced.block(block)),
      skip_(priced, moves, block, std::move(ending), std::move(toAnchor)),
      left_(walk_->leftOnLegs(0, walk_->numOps(), skip_.outsideLessSkip())),
      results_(std::move(results)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {}

bool NarrowRows::follow(Layout from, Ticks budget, size_t most) {
  const Terrain& terrain = priced_->terrain();
  now_.clear();
  now_.lower(from, 0);
  looked_ = 0;
  legs_.clear();
  for (int64_t op = 0; op < walk_->numOps(); ++op) {
    bool areFew = moves_->relax(walk_->tariff(op), &left_[op], budget,
                                Phase::Gather, most, now_);
    looked_ += now_.layouts().size();
    if (!areFew) return false;
    keepLeg();
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
  if (!moves_->relax(walk_->tariff(walk_->numOps()), &left_.back(), budget,
                     Phase::MakeTerms, most, now_))
    return false;
  keepLeg();
  return true;
}

void NarrowRows::keepLeg() {
  auto& leg = legs_.emplace_back();
  for (Layout layout : now_.layouts()) leg.push_back({layout, now_[layout]});
}

std::optional<Row> NarrowRows::row(Layout from, Ticks budget, size_t most) {
  if (!follow(from, budget - skip_.distance(from), most)) return std::nullopt;
  std::optional<Row> row = skip_.addTo(now_, from, budget, most, next_);
  if (!row) return std::nullopt;
  looked_ += next_.layouts().size();
  for (size_t i = 0; i < row->to.size(); ++i)
    row->ticks[i] += priced_->addition()[row->to[i]];
  return row;
}

}  // namespace sbp::search
