// Values of layouts, carried through a block.
//
// A dynamic program over a chain has one value per layout of the tensor that it
// has come to. To walk through a block it carries them from operand to result,
// op by op, with a redistribution between:
//
//   residual  -leg 0->  operand -op 0-> result  -leg 1->  ...  -leg n->
//   residual
//
// A leg takes, for every layout it leads to, the least over all it comes from;
// an op adds its cost and relabels, since its result says how it ran and
// thereby how its operand lay. All this works forwards and backwards, and on
// any space: that in which axes are alike, and those in which they are told
// apart.

#ifndef PASSES_SEARCH_LAYOUT_WALK_H_
#define PASSES_SEARCH_LAYOUT_WALK_H_

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Redistribution.h"

namespace sbp::search {

using Values = std::vector<Ticks>;

/// Nothing is paid at one of so many layouts, and no other is come to.
Values onlyAt(Layout layout, std::size_t numLayouts);
/// The first layout of those with the least value; there are some.
Layout cheapestOf(const Values& values);

/// The spaces that tensors of a chain lie in: results and residual tensors may
/// lie in terms (whole), operands do not (settled).
class Terrain {
 public:
  /// With the axes that are told apart by `classes`.
  Terrain(const Chain& chain, std::vector<AxisClass> classes);
  Terrain(const Terrain&) = delete;

  const LayoutSpace& whole() const { return whole_; }
  const LayoutSpace& settled() const { return settled_; }
  const Redistribution& wholeMoves() const { return wholeMoves_; }
  const Redistribution& settledMoves() const { return settledMoves_; }
  /// Of settled layouts, their index among all.
  const std::vector<Layout>& settledInWhole() const { return settledInWhole_; }
  /// Of all layouts, their index among settled ones; negative if in terms.
  Layout settledOf(Layout whole) const { return settledOf_[whole]; }

  bool leavesTerms(const Op& op) const;
  const LayoutSpace& resultSpace(const Op& op) const {
    return leavesTerms(op) ? whole_ : settled_;
  }
  /// For every layout of an op's result, that of its operand.
  const std::vector<Layout>& reads(const Op& op);

 private:
  std::vector<int64_t> sameClasses() const;

  LayoutSpace whole_, settled_;
  Redistribution wholeMoves_, settledMoves_;
  std::vector<Layout> settledInWhole_, settledOf_;
  // By what the kinds of the result become.
  std::map<std::vector<Kind>, Relabelling> reads_;
};

/// What each op of a block costs, per layout of its result.
using OpCosts = std::vector<std::shared_ptr<const Values>>;

/// Values of all layouts, one for each phase of moves; or none, if unknown.
class ValuesByPhase {
 public:
  Values& of(Phase phase) { return values_[static_cast<size_t>(phase)]; }
  const Values& of(Phase phase) const {
    return values_[static_cast<size_t>(phase)];
  }

 private:
  std::array<Values, static_cast<size_t>(Phase::MakeTerms) + 1> values_;
};

class Walk {
 public:
  /// A walk through `block`, each redistribution counting `times` times. Some
  /// blocks do not read a residual tensor, or make none. All must outlive this.
  Walk(Terrain& terrain, const Block& block, OpCosts costs, double times);

  int64_t numOps() const { return static_cast<int64_t>(block_->ops.size()); }
  const Block& block() const { return *block_; }
  const Values& cost(int64_t op) const { return *costs_[op]; }
  const std::vector<Layout>& reads(int64_t op) const { return *reads_[op]; }
  const LayoutSpace& resultSpace(int64_t op) const {
    return terrain_->resultSpace(block_->ops[op]);
  }

  /// Leg 0 comes from the residual tensor, leg numOps() leads to it; the others
  /// come from the result of op leg-1 and lead to the operand of op leg.
  Values takeLeg(int64_t leg, Values values) const;
  Values takeLegBack(int64_t leg, Values values) const;
  /// From operand to result, and back.
  Values run(int64_t op, const Values& operand) const;
  Values runBack(int64_t op, const Values& result) const;

  /// From residual tensor to residual tensor.
  Values advance(Values values) const;
  Values retreat(Values values) const;

  /// What op `op` costs, by the layout of its result among all layouts.
  Ticks costInWhole(int64_t op, Layout result) const;
  /// Of values of all layouts, those of results of op `op`.
  Values resultsOf(int64_t op, const Values& whole) const;

  /// What is left to pay on leg `leg` from any layout that a tensor may have on
  /// the way, if it costs `values` to go on from where the leg leads. Never
  /// from one from which no way leads there.
  Values leftOnLeg(int64_t leg, const Values& values) const;
  /// The same for some legs of a walk that ends with leg `last` and `values`.
  std::vector<Values> leftOnLegs(int64_t first, int64_t last,
                                 Values values) const;
  /// What is paid on each leg up to `last` where a tensor has come to any
  /// layout, of a walk that starts with `values`.
  std::vector<Values> paidOnLegs(int64_t last, Values values) const;
  /// Like leftOnLeg, but only moves follow of one phase and those behind it;
  /// for phases that are all, nothing.
  ValuesByPhase leftInPhases(int64_t leg, const Values& values) const;
  /// Like what paidOnLegs says of a leg, if it starts with `values` (of all
  /// layouts, or of settled ones behind an op that leaves no terms), but only
  /// moves were made of one phase and those before it; for phases that are all,
  /// nothing.
  ValuesByPhase paidInPhases(int64_t leg, Values values) const;
  /// What is paid where leg `leg` starts, per layout, by what is paid on the
  /// leg before.
  Values paidBefore(int64_t leg, const Values& paid) const;
  /// What is left where leg `leg` leads to, by what is left on the next.
  Values leftBehind(int64_t leg, const Values& left) const;
  /// Prices on a leg, of moves of the whole space.
  const Tariff& tariff(int64_t leg) const { return legs_[leg].whole; }

 private:
  struct Leg {
    bool fromTerms = false, toTerms = false;
    Tariff whole, settled;
  };

  /// Takes a leg from what may be in terms to what is not: lowers `values` as
  /// far as moves do that leave no terms, and returns the settled ones, carried
  /// on.
  Values takeOutOfTerms(int64_t leg, Values& values) const;
  /// What is paid on one leg where a tensor has come to any layout, if it
  /// starts with `values`: those of all layouts, or settled ones behind such an
  /// op.
  Values paidOnLeg(int64_t leg, Values values) const;

  Terrain* terrain_;
  const Block* block_;
  OpCosts costs_;
  std::vector<const std::vector<Layout>*> reads_;
  std::vector<Leg> legs_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_WALK_H_
