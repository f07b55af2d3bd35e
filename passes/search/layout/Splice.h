// Plans that begin like one plan and end like another.
//
// Two neighbours on the hull of time and memory, one too large for a limit and
// the other smaller than it need be: the plan that changes from one to the
// other after the right layer is within the limit, and not much slower than
// their mixture. It is found at once, and says soon how much a search may leave
// out.

#ifndef PASSES_SEARCH_LAYOUT_SPLICE_H_
#define PASSES_SEARCH_LAYOUT_SPLICE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "passes/search/layout/NamedPlan.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// A plan, and the layouts of its residual tensors.
struct LaidPlan {
  CrossedPlan plan;
  std::vector<Layout> residuals;
};

class Splicer {
 public:
  /// `priced` must outlive this. A crossing from one plan to the other is given
  /// up when it takes more layouts than `maxLooks` to find.
  Splicer(const PricedChain& priced, int64_t maxLooks)
      : priced_(&priced), maxLooks_(maxLooks) {}

  /// The fastest plan within the limit that changes from `begin` to `end` at
  /// one block, by the cheapest crossing there is; none if there is none.
  std::optional<CrossedPlan> fastest(const LaidPlan& begin, const LaidPlan& end,
                                     double limitBytes);

 private:
  const Crossing* crossingOf(int64_t block, Layout from, Layout to);

  const PricedChain* priced_;
  int64_t maxLooks_;
  std::map<std::tuple<int64_t, Layout, Layout>, std::optional<Crossing>> known_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_SPLICE_H_
