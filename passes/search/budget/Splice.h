// Plans that begin like one plan and end like another.
//
// Take two plans that are the best at some price of a byte (HullPlan in
// MemoryLimit.h): one above the memory limit, the other below it. A plan that
// changes from one to the other after the right layer is within the limit, and
// hardly slower than their mixture. It is found fast, and its cost is a limit
// for later searches.

#ifndef PASSES_SEARCH_BUDGET_SPLICE_H_
#define PASSES_SEARCH_BUDGET_SPLICE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/LiftedPlan.h"

namespace sbp::search {

/// A plan, with the layouts of its residual tensors.
struct LaidPlan {
  TransitionPlan plan;
  std::vector<Layout> residuals;
};

/// Finds such plans, and keeps the transitions that it has computed.
class Splicer {
 public:
  /// `priced` must outlive this object. A transition from one plan to the other
  /// is given up if finding it takes more than `maxLooks` layouts.
  Splicer(const PricedChain& priced, int64_t maxLooks)
      : priced_(&priced), maxLooks_(maxLooks) {}

  /// Returns the fastest plan within the limit that changes from `begin` to
  /// `end` at one block, by the cheapest transition there; nullopt if there is
  /// none.
  std::optional<TransitionPlan> fastest(const LaidPlan& begin,
                                        const LaidPlan& end, double limitBytes);

 private:
  const BlockTransition* transitionOf(int64_t block, Layout from, Layout to);

  const PricedChain* priced_;
  int64_t maxLooks_;
  std::map<std::tuple<int64_t, Layout, Layout>, std::optional<BlockTransition>>
      known_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_SPLICE_H_
