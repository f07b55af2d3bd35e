// What an op may leave that reads a layout.
//
// A walk (Walk.h) knows of every result what it reads. To follow few layouts
// through a block the other way round is needed.

#ifndef PASSES_SEARCH_LAYOUT_RESULTSBYOPERAND_H_
#define PASSES_SEARCH_LAYOUT_RESULTSBYOPERAND_H_

#include <cstdint>
#include <vector>

#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// The results of every op of a block, by the settled layout of its operand.
class ResultsByOperand {
 public:
  /// `priced` must outlive this.
  ResultsByOperand(const PricedChain& priced, int64_t block);

  /// Calls `take` with each result that an op may leave which reads a layout,
  /// and what that costs; both layouts are among all.
  template <typename Take>
  void forEach(int64_t op, Layout operand, const Take& take) const {
    const Terrain& terrain = priced_->terrain();
    Layout settled = terrain.settledOf(operand);
    if (settled < 0) return;
    const Results& results = ops_[op];
    const Values& cost = walk_->cost(op);
    for (int32_t i = results.begins[settled]; i < results.begins[settled + 1];
         ++i) {
      Layout own = results.results[i];
      take(results.leavesTerms ? own : terrain.settledInWhole()[own],
           cost[own]);
    }
  }

 private:
  struct Results {
    std::vector<int32_t> begins;  // per settled layout, and one more
    std::vector<Layout> results;  // in the op's own space
    bool leavesTerms = false;
  };
  const PricedChain* priced_;
  const Walk* walk_;
  std::vector<Results> ops_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_RESULTSBYOPERAND_H_
