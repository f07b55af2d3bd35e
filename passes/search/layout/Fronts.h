// The fronts of a corridor's passages: all times and bytes that they may take.
//
// Around a skip counts of axes may promise too much (Crossing.h). So passages
// have fronts of axes with names (NamedRows.h): at once where counts are often
// wrong, else when a plan would use them. The head and the tail have no skip;
// what counts promise of them is true.

#ifndef PASSES_SEARCH_LAYOUT_FRONTS_H_
#define PASSES_SEARCH_LAYOUT_FRONTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/layout/Corridor.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/NamedRows.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

class Fronts {
 public:
  /// Fills the fronts of a corridor of plans up to `reach`. `priced` counts
  /// memory, and its price of a byte is that of the search. Passages
  /// have names at once, or when they are asked for. All must outlive this.
  Fronts(const PricedChain& priced, ExactSearch& search, Corridor& corridor,
         Ticks reach, bool areNamed);

  /// False if it would have taken too much.
  bool areFilled() const { return areFilled_; }
  /// Whether a passage has a front of axes with names, and those that start
  /// there too, now; none if that takes too much.
  bool name(int64_t passage);
  /// The same of all passages.
  bool nameAll();
  /// Whether a passage has a front of axes with names; those of the head and
  /// the tail are true without.
  bool isNamed(int64_t passage) const;

 private:
  using Passages = std::vector<Passage*>;
  struct Start {
    Passages passages;
    bool isNamed = false;
  };

  bool name(int64_t block, Layout from, Start& start);
  bool fill(int64_t block, Layout from, Start& start, Axes axes);
  /// The head or the tail: results of its ops that some passage can use.
  struct End {
    /// `operand` is what it costs to come to the first op's operand, less the
    /// budget of passages that begin there; `ending` is what is left after the
    /// last op, less the budget of passages that end there.
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
  /// The last op's results, with what is paid to them where, with what is left,
  /// that is at most `most`.
  Results follow(const End& end, const Values& operand, Ticks most);
  /// Distances on a leg of the head or the tail from what the op before leaves.
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

#endif  // PASSES_SEARCH_LAYOUT_FRONTS_H_
