// Values of layouts that are carried through a block.
//
// A dynamic program over a chain has one value per layout of the current
// tensor. A block operator carries the values from operand to result, op by op,
// with a redistribution (a stage) before each op and after the last:
//
//   residual -stage 0-> operand -op 0-> result -stage 1-> ... -> residual
//
// A stage takes, for every layout at its end, the least over all layouts at its
// start. An op adds its cost and relabels: the layout of its result determines
// how the op ran, and so the layout of its operand. Values can be carried
// forward and backward, and in any space: by counts of axes, or with axes that
// are distinguished further.

#ifndef PASSES_SEARCH_CHAIN_BLOCKOPERATOR_H_
#define PASSES_SEARCH_CHAIN_BLOCKOPERATOR_H_

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "passes/search/chain/Chain.h"
#include "passes/search/redistribution/Redistribution.h"

namespace sbp::search {

/// A value per layout of a space.
using Values = std::vector<Ticks>;

/// Returns values that are 0 for `layout` and kNever for all other layouts.
Values onlyAt(Layout layout, std::size_t numLayouts);
/// Returns the first layout with the least value. `values` must not be empty.
Layout cheapestOf(const Values& values);

/// The two layout spaces of the tensors of a chain. Results and residual
/// tensors may be Partial: they have the whole space. Operands may not: their
/// layouts are the operand layouts.
class ChainSpaces {
 public:
  /// Distinguishes axes by `classes`.
  ChainSpaces(const Chain& chain, std::vector<AxisClass> classes);
  ChainSpaces(const ChainSpaces&) = delete;

  const LayoutSpace& whole() const { return whole_; }
  const LayoutSpace& operand() const { return operand_; }
  const Redistribution& wholeMoves() const { return wholeMoves_; }
  const Redistribution& operandMoves() const { return operandMoves_; }
  /// Returns the index in the whole space of each operand layout.
  const std::vector<Layout>& operandInWhole() const { return operandInWhole_; }
  /// Returns the index of a layout of the whole space among the operand
  /// layouts; negative if an axis is Partial.
  Layout operandOf(Layout whole) const { return operandOf_[whole]; }

  bool leavesTerms(const Op& op) const;
  const LayoutSpace& resultSpace(const Op& op) const {
    return leavesTerms(op) ? whole_ : operand_;
  }
  /// Returns the layout of an op's operand, per layout of its result.
  const std::vector<Layout>& reads(const Op& op);

 private:
  std::vector<int64_t> sameClasses() const;

  LayoutSpace whole_, operand_;
  Redistribution wholeMoves_, operandMoves_;
  std::vector<Layout> operandInWhole_, operandOf_;
  // Keys: per kind of the result, the kind of the operand.
  std::map<std::vector<Kind>, Relabelling> reads_;
};

/// Costs of each op of a block, per layout of its result.
using OpCosts = std::vector<std::shared_ptr<const Values>>;

/// The stages and ops of a block, and what they cost.
class BlockOperator {
 public:
  /// Constructs the operator of `block`. Each redistribution counts
  /// `times` times. `block` may also be a head, which reads no residual tensor,
  /// or a tail, which makes none. All arguments must outlive this object.
  BlockOperator(ChainSpaces& spaces, const Block& block, OpCosts costs,
                double times);

  int64_t numOps() const { return static_cast<int64_t>(block_->ops.size()); }
  const Block& block() const { return *block_; }
  const Values& cost(int64_t op) const { return *costs_[op]; }
  const std::vector<Layout>& reads(int64_t op) const { return *reads_[op]; }
  const LayoutSpace& resultSpace(int64_t op) const {
    return spaces_->resultSpace(block_->ops[op]);
  }

  /// Carry values over a stage. Stage 0 comes from the residual tensor, stage
  /// numOps() leads to it. Stage `stage` comes from the result of op stage-1
  /// and leads to the operand of op `stage`.
  Values redistribute(int64_t stage, Values values) const;
  Values redistributeBack(int64_t stage, Values values) const;
  /// Carry values from the operand of an op to its result, and back.
  Values run(int64_t op, const Values& operand) const;
  Values runBack(int64_t op, const Values& result) const;

  /// Carry values from residual tensor to residual tensor, and back.
  Values advance(Values values) const;
  Values retreat(Values values) const;

  /// Returns the cost of op `op`, by the layout of its result in the whole
  /// space.
  Ticks costInWhole(int64_t op, Layout result) const;
  /// Returns the values of op `op`'s results (resultSpace()), from values of
  /// the whole space.
  Values resultsOf(int64_t op, const Values& whole) const;

  /// Returns the cost that is left on stage `stage`, for all layouts that the
  /// tensor may have on it, if `values` is the cost at the end of the stage;
  /// kNever for layouts that do not lead there.
  Values costToGoAt(int64_t stage, const Values& values) const;
  /// Returns the same for the stages from `first` to `last`, if `values` is the
  /// cost at the end of stage `last`.
  std::vector<Values> costsToGo(int64_t first, int64_t last,
                                Values values) const;
  /// Returns the prices on a stage, for moves of the whole space.
  const Tariff& tariff(int64_t stage) const { return stages_[stage].whole; }

 private:
  /// Whether a stage may begin and end with Partial layouts, and its prices.
  struct Stage {
    bool fromTerms = false, toTerms = false;
    Tariff whole, operand;
  };

  /// Takes a stage from a result that may be Partial to an operand. Lowers
  /// `values` by the moves that reduce terms, and returns the values of operand
  /// layouts after all other moves.
  Values takeOutOfTerms(int64_t stage, Values& values) const;

  ChainSpaces* spaces_;
  const Block* block_;
  OpCosts costs_;
  std::vector<const std::vector<Layout>*> reads_;
  std::vector<Stage> stages_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_BLOCKOPERATOR_H_
