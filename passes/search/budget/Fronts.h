// The fronts of a reduced space's arcs (ReducedSpace.h): all non-dominated
// pairs of time and bytes.
//
// Around a skip, counts of axes may promise too much (BlockTransition.h). So
// arcs get fronts for single axes (LiftedRows.h): at once if counts are often
// wrong, otherwise when a plan would use them. The head and the tail have no
// skip, so their fronts by counts are exact.

#ifndef PASSES_SEARCH_BUDGET_FRONTS_H_
#define PASSES_SEARCH_BUDGET_FRONTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/budget/ReducedSpace.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/LiftedRows.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// Computes the fronts of a reduced space.
class Fronts {
 public:
  /// Fills the fronts of a reduced space of plans up to `threshold`. `priced`
  /// must count memory, with the byte price of `search`. If `areLifted`, all
  /// fronts are for single axes at once; otherwise a front is so after lift().
  /// All arguments must outlive this object.
  Fronts(const PricedChain& priced, ExactSearch& search, ReducedSpace& reduced,
         Ticks threshold, bool areLifted);

  /// Returns false if filling took too much.
  bool areFilled() const { return areFilled_; }
  /// Replaces the front of an arc, and of all arcs with the same start, by
  /// fronts for single axes. Returns false if this takes too much.
  bool lift(int64_t arc);
  /// Does the same for all arcs.
  bool liftAll();
  /// Whether the front of an arc is for single axes; true for the head and the
  /// tail.
  bool isLifted(int64_t arc) const;

 private:
  using Arcs = std::vector<Arc*>;
  /// The arcs from one layout of one block.
  struct Start {
    Arcs arcs;
    bool isLifted = false;
  };

  bool lift(int64_t block, Layout from, Start& start);
  bool fill(int64_t block, Layout from, Start& start, Axes axes);
  /// The head or the tail, with the results of its ops that arcs can use.
  struct End {
    /// `operand` is the cost up to the first op's operand, minus the budget of
    /// the arcs that begin there. `ending` is the cost after the last op,
    /// minus the budget of the arcs that end there.
    End(const BlockOperator& blockOperator, const std::vector<OpTable>& tables,
        const Values& operand, Values ending);

    const BlockOperator* blockOperator;
    const std::vector<OpTable>* tables;
    std::vector<Values> left;                 // after each op, by its result
    std::vector<std::vector<Layout>> within;  // per op
  };
  using Results = std::vector<std::pair<Layout, Front>>;

  void fillHead(const Arcs& arcs);
  void fillTail(const Arcs& arcs);
  /// Returns the last op's results, with their fronts: pairs that cost at most
  /// `most`, together with what is left.
  Results follow(const End& end, const Values& operand, Ticks most);
  /// Returns the distances on a stage of the head or the tail from a result.
  const Values& distancesFrom(const BlockOperator& blockOperator, int64_t stage,
                              Layout result);

  const PricedChain* priced_;
  ExactSearch* search_;
  ReducedSpace* reduced_;
  Ticks threshold_;
  bool areFilled_ = true;
  std::map<std::pair<int64_t, Layout>, Start> starts_;
  // Per block.
  std::vector<ExactSearch::Surroundings> around_;
  std::vector<std::unique_ptr<LiftedRows<Front>>> rows_;
  std::map<std::tuple<const BlockOperator*, int64_t, Layout>, Values>
      distances_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_FRONTS_H_
