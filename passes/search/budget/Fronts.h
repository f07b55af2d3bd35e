// The fronts of a corridor's passages (Corridor.h): all non-dominated pairs of
// time and bytes.
//
// Around a skip, counts of axes may promise too much (Crossing.h). So passages
// get fronts for named axes (NamedRows.h): at once if counts are often wrong,
// otherwise when a plan would use them. The head and the tail have no skip, so
// their fronts by counts are exact.

#ifndef PASSES_SEARCH_BUDGET_FRONTS_H_
#define PASSES_SEARCH_BUDGET_FRONTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/budget/Corridor.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/NamedRows.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// Computes the fronts of a corridor.
class Fronts {
 public:
  /// Fills the fronts of a corridor of plans up to `reach`. `priced` must count
  /// memory, with the byte price of `search`. If `areNamed`, all fronts are for
  /// named axes at once; otherwise a front is so after name(). All arguments
  /// must outlive this object.
  Fronts(const PricedChain& priced, ExactSearch& search, Corridor& corridor,
         Ticks reach, bool areNamed);

  /// Returns false if filling took too much.
  bool areFilled() const { return areFilled_; }
  /// Replaces the front of a passage, and of all passages with the same start,
  /// by fronts for named axes. Returns false if this takes too much.
  bool name(int64_t passage);
  /// Does the same for all passages.
  bool nameAll();
  /// Whether the front of a passage is for named axes; true for the head and
  /// the tail.
  bool isNamed(int64_t passage) const;

 private:
  using Passages = std::vector<Passage*>;
  /// The passages from one layout of one block.
  struct Start {
    Passages passages;
    bool isNamed = false;
  };

  bool name(int64_t block, Layout from, Start& start);
  bool fill(int64_t block, Layout from, Start& start, Axes axes);
  /// The head or the tail, with the results of its ops that passages can use.
  struct End {
    /// `operand` is the cost up to the first op's operand, minus the budget of
    /// the passages that begin there. `ending` is the cost after the last op,
    /// minus the budget of the passages that end there.
    End(const Walk& walk, const std::vector<OpTable>& tables,
        const Values& operand, Values ending);

    const Walk* walk;
    const std::vector<OpTable>* tables;
    std::vector<Values> left;                 // after each op, by its result
    std::vector<std::vector<Layout>> within;  // per op
  };
  using Results = std::vector<std::pair<Layout, Front>>;

  void fillHead(const Passages& passages);
  void fillTail(const Passages& passages);
  /// Returns the last op's results, with their fronts: pairs that cost at most
  /// `most`, together with what is left.
  Results follow(const End& end, const Values& operand, Ticks most);
  /// Returns the distances on a leg of the head or the tail from a result.
  const Values& distancesFrom(const Walk& walk, int64_t leg, Layout result);

  const PricedChain* priced_;
  ExactSearch* search_;
  Corridor* corridor_;
  Ticks reach_;
  bool areFilled_ = true;
  std::map<std::pair<int64_t, Layout>, Start> starts_;
  // Per block.
  std::vector<ExactSearch::Surroundings> around_;
  std::vector<std::unique_ptr<NamedRows<Front>>> rows_;
  std::map<std::tuple<const Walk*, int64_t, Layout>, Values> distances_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_FRONTS_H_
