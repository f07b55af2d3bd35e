// Values of layouts that are carried through a block.
//
// A dynamic program over a chain has one value per layout of the current
// tensor. A walk through a block carries the values from operand to result, op
// by op, with a redistribution (a leg) before each op and after the last:
//
//   residual -leg 0-> operand -op 0-> result -leg 1-> ... -leg n-> residual
//
// A leg takes, for every layout at its end, the least over all layouts at its
// start. An op adds its cost and relabels: the layout of its result determines
// how the op ran, and so the layout of its operand. Values can be carried
// forward and backward, and in any space: by counts of axes, or with axes that
// are distinguished further.

#ifndef PASSES_SEARCH_CHAIN_WALK_H_
#define PASSES_SEARCH_CHAIN_WALK_H_

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
/// tensors may be Partial: they have the whole space. Operands may not: they
/// have the settled layouts.
class Terrain {
 public:
  /// Distinguishes axes by `classes`.
  Terrain(const Chain& chain, std::vector<AxisClass> classes);
  Terrain(const Terrain&) = delete;

  const LayoutSpace& whole() const { return whole_; }
  const LayoutSpace& settled() const { return settled_; }
  const Redistribution& wholeMoves() const { return wholeMoves_; }
  const Redistribution& settledMoves() const { return settledMoves_; }
  /// Returns the index in the whole space of each settled layout.
  const std::vector<Layout>& settledInWhole() const { return settledInWhole_; }
  /// Returns the index of a layout of the whole space among the settled
  /// layouts; negative if an axis is Partial.
  Layout settledOf(Layout whole) const { return settledOf_[whole]; }

  bool leavesTerms(const Op& op) const;
  const LayoutSpace& resultSpace(const Op& op) const {
    return leavesTerms(op) ? whole_ : settled_;
  }
  /// Returns the layout of an op's operand, per layout of its result.
  const std::vector<Layout>& reads(const Op& op);

 private:
  std::vector<int64_t> sameClasses() const;

  LayoutSpace whole_, settled_;
  Redistribution wholeMoves_, settledMoves_;
  std::vector<Layout> settledInWhole_, settledOf_;
  // Keys: per kind of the result, the kind of the operand.
  std::map<std::vector<Kind>, Relabelling> reads_;
};

/// Costs of each op of a block, per layout of its result.
using OpCosts = std::vector<std::shared_ptr<const Values>>;

/// The legs and ops of a block, and what they cost.
class Walk {
 public:
  /// Constructs a walk through `block`. Each redistribution counts `times`
  /// times. `block` may also be a head, which reads no residual tensor, or a
  /// tail, which makes none. All arguments must outlive this object.
  Walk(Terrain& terrain, const Block& block, OpCosts costs, double times);

  int64_t numOps() const { return static_cast<int64_t>(block_->ops.size()); }
  const Block& block() const { return *block_; }
  const Values& cost(int64_t op) const { return *costs_[op]; }
  const std::vector<Layout>& reads(int64_t op) const { return *reads_[op]; }
  const LayoutSpace& resultSpace(int64_t op) const {
    return terrain_->resultSpace(block_->ops[op]);
  }

  /// Carry values over a leg. Leg 0 comes from the residual tensor, leg
  /// numOps() leads to it. Leg `leg` comes from the result of op leg-1 and
  /// leads to the operand of op `leg`.
  Values takeLeg(int64_t leg, Values values) const;
  Values takeLegBack(int64_t leg, Values values) const;
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

  /// Returns the cost that is left on leg `leg`, for all layouts that the
  /// tensor may have on it, if `values` is the cost at the end of the leg;
  /// kNever for layouts that do not lead there.
  Values leftOnLeg(int64_t leg, const Values& values) const;
  /// Returns the same for the legs from `first` to `last`, if `values` is the
  /// cost at the end of leg `last`.
  std::vector<Values> leftOnLegs(int64_t first, int64_t last,
                                 Values values) const;
  /// Returns the prices on a leg, for moves of the whole space.
  const Tariff& tariff(int64_t leg) const { return legs_[leg].whole; }

 private:
  /// Whether a leg may begin and end with Partial layouts, and its prices.
  struct Leg {
    bool fromTerms = false, toTerms = false;
    Tariff whole, settled;
  };

  /// Takes a leg from a result that may be Partial to an operand. Lowers
  /// `values` by the moves that reduce terms, and returns the values of settled
  /// layouts after all other moves.
  Values takeOutOfTerms(int64_t leg, Values& values) const;

  Terrain* terrain_;
  const Block* block_;
  OpCosts costs_;
  std::vector<const std::vector<Layout>*> reads_;
  std::vector<Leg> legs_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_WALK_H_
