#include "passes/search/chain/ResultsByOperand.h"

namespace sbp::search {

ResultsByOperand::ResultsByOperand(const PricedChain& priced, int64_t block)
    : priced_(&priced), blockOperator_(&priced.block(block)) {
  const BlockOperator& blockOperator = *blockOperator_;
  for (int64_t op = 0; op < blockOperator.numOps(); ++op) {
    const std::vector<Layout>& reads = blockOperator.reads(op);
    Results& results = ops_.emplace_back();
    results.leavesTerms =
        priced.spaces().leavesTerms(blockOperator.block().ops[op]);
    // One more than layouts, so that every operand has an end.
    results.begins.assign(priced.spaces().operand().numLayouts() + 2, 0);
    for (size_t r = 0; r < reads.size(); ++r)
      if (blockOperator.cost(op)[r] < kNever) ++results.begins[reads[r] + 1];
    for (size_t i = 1; i < results.begins.size(); ++i)
      results.begins[i] += results.begins[i - 1];
    results.results.resize(results.begins.back());
    std::vector<int32_t> next = results.begins;
    for (size_t r = 0; r < reads.size(); ++r)
      if (blockOperator.cost(op)[r] < kNever)
        results.results[next[reads[r]]++] = static_cast<Layout>(r);
  }
}

}  // namespace sbp::search
