#include "passes/search/chain/NarrowRows.h"

#include <utility>

namespace sbp::search {
namespace {

/// Rows share a list (ListedBlock.h) if it has at most one in this many layouts
/// of a stage. A longer list leaves out too few layouts.
constexpr size_t kPartOfListed = 3;

}  // namespace

void runBackFew(const ChainSpaces& spaces, const BlockOperator& blockOperator,
                int64_t op, const FewValues& results, const Values& paid,
                Ticks budget, FewValues& operands) {
  bool leavesTerms = spaces.leavesTerms(blockOperator.block().ops[op]);
  operands.clear();
  for (Layout result : results.layouts()) {
    Layout own = leavesTerms ? result : spaces.operandOf(result);
    if (own < 0) continue;
    Layout operand = spaces.operandInWhole()[blockOperator.reads(op)[own]];
    Ticks ticks = results[result] + blockOperator.cost(op)[own];
    if (ticks + paid[operand] <= budget) operands.lower(operand, ticks);
  }
}

NarrowRows::NarrowRows(const PricedChain& priced, const FewMoves& moves,
                       int64_t block,
                       std::shared_ptr<const ResultsByOperand> results,
                       Values ending, SkipAnchor toAnchor)
    : priced_(&priced),
      moves_(&moves),
      block_(block),
      blockOperator_(&priced.block(block)),
      skip_(priced, moves, block, ending, std::move(toAnchor)),
      left_(blockOperator_->costsToGo(0, blockOperator_->numOps(),
                                      std::move(ending))),
      results_(std::move(results)),
      now_(priced.space().numLayouts()),
      next_(priced.space().numLayouts()) {}

void NarrowRows::expect(Starts starts) {
  listed_ =
      ListedBlock::of(*priced_, *moves_, block_, *results_, left_,
                      std::move(starts), left_.front().size() / kPartOfListed);
}

void NarrowRows::followListed(Layout from, Ticks budget) {
  stages_.clear();
  listed_->follow(from, budget, stages_);
  looked_ = 0;
  for (const auto& stage : stages_) looked_ += stage.size();
  now_.clear();
  for (auto [layout, ticks] : stages_.back()) now_.lower(layout, ticks);
}

bool NarrowRows::follow(Layout from, Ticks budget, size_t most) {
  now_.clear();
  now_.lower(from, 0);
  looked_ = 0;
  stages_.clear();
  for (int64_t op = 0; op < blockOperator_->numOps(); ++op) {
    bool areFew = moves_->relax(blockOperator_->tariff(op), &left_[op], budget,
                                Phase::Gather, most, now_);
    looked_ += now_.layouts().size();
    if (!areFew) return false;
    keepStage();
    next_.clear();
    for (Layout layout : now_.layouts())
      results_->forEach(op, layout, [&](Layout result, Ticks cost) {
        Ticks ticks = now_[layout] + cost;
        if (ticks + left_[op + 1][result] <= budget) next_.lower(result, ticks);
      });
    std::swap(now_, next_);
  }
  if (!moves_->relax(blockOperator_->tariff(blockOperator_->numOps()),
                     &left_.back(), budget, Phase::MakeTerms, most, now_))
    return false;
  keepStage();
  return true;
}

void NarrowRows::keepStage() {
  auto& stage = stages_.emplace_back();
  for (Layout layout : now_.layouts()) stage.push_back({layout, now_[layout]});
}

std::optional<Row> NarrowRows::row(Layout from, Ticks budget, size_t most) {
  if (listed_ && listed_->has(from, budget))
    followListed(from, budget);
  else if (!follow(from, budget, most))
    return std::nullopt;
  std::optional<Row> row = skip_.addTo(now_, from, budget, most, next_);
  if (!row) return std::nullopt;
  looked_ += next_.layouts().size();
  for (size_t i = 0; i < row->to.size(); ++i)
    row->ticks[i] += priced_->addition()[row->to[i]];
  return row;
}

}  // namespace sbp::search
