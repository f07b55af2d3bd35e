// The possible results of an op, by the layout of its operand.
//
// A block operator (BlockOperator.h) has the operand's layout for each result.
// Following few layouts through a block needs the inverse.

#ifndef PASSES_SEARCH_CHAIN_RESULTSBYOPERAND_H_
#define PASSES_SEARCH_CHAIN_RESULTSBYOPERAND_H_

#include <cstdint>
#include <vector>

#include "passes/search/chain/PricedChain.h"

namespace sbp::search {

/// The results of every op of a block, by the layout of the operand. This is a
/// operand layout, one without Partial (ChainSpaces in BlockOperator.h).
class ResultsByOperand {
 public:
  /// `priced` must outlive this object.
  ResultsByOperand(const PricedChain& priced, int64_t block);

  /// Calls `take` with each possible result of op `op` for `operand`, and its
  /// cost. Both are layouts of the whole space.
  template <typename Take>
  void forEach(int64_t op, Layout operand, const Take& take) const {
    const ChainSpaces& spaces = priced_->spaces();
    Layout number = spaces.operandOf(operand);
    if (number < 0) return;
    const Results& results = ops_[op];
    const Values& cost = blockOperator_->cost(op);
    for (int32_t i = results.begins[number]; i < results.begins[number + 1];
         ++i) {
      Layout own = results.results[i];
      take(results.leavesTerms ? own : spaces.operandInWhole()[own], cost[own]);
    }
  }

 private:
  struct Results {
    /// index in `results` per operand layout, and the end
    std::vector<int32_t> begins;
    std::vector<Layout> results;  // of the op's own space
    bool leavesTerms = false;
  };
  const PricedChain* priced_;
  const BlockOperator* blockOperator_;
  std::vector<Results> ops_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_RESULTSBYOPERAND_H_
