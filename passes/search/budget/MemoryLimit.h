// The fastest plan within a limit of bytes per device.
//
// Prices. Let each byte cost lambda. The least of time + lambda * bytes over
// all plans, minus lambda times the limit, is a lower bound of the time of
// every plan within the limit. ExactSearch.h finds this least value for any
// lambda. The best lambda is that of the best mixture of plans
// (solvers/Mixture.h).
//
// A first plan. Searches at several prices give plans with more and with fewer
// bytes than the limit. (A plan that is the best at some price is on the convex
// hull of time and memory.) A plan that begins like one of them and ends like
// another (Splice.h) is within the limit, and near the bound.
//
// Labels. Plans that cost no less than the bound at the best price, and less
// than the first plan, stay in a reduced space of few layouts. The fastest plan
// is searched there (ReducedSpaceSearch.h).
//
// Only ops need memory (OpCost.h), and any layout can be moved to any other. So
// the fewest bytes of a plan are the sum of the fewest bytes of each op. If the
// limit is lower, no plan fits, and it is known how many bytes are missing.

#ifndef PASSES_SEARCH_BUDGET_MEMORYLIMIT_H_
#define PASSES_SEARCH_BUDGET_MEMORYLIMIT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/budget/ReducedSpaceSearch.h"
#include "passes/search/budget/Splice.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// A plan on the hull of time and memory: the best one for some price of a
/// byte.
struct HullPlan {
  double ticksPerByte = 0;
  TimeAndBytes cost;
  Ticks bound = 0;      // lower bound of time + ticksPerByte * bytes
  double gap = kNever;  // relative gap at which its search ended
  LaidPlan laid;
};

/// Searches of one chain within limits of memory.
class MemoryLimit {
 public:
  /// `priced` must count memory; its price of a byte is changed.
  MemoryLimit(PricedChain& priced, MemoryOptions options);

  /// Returns the fewest bytes that any plan needs.
  double fewestBytes() const;

  /// Returns the fastest plan within the limit, and a lower bound.
  LimitedAnswer solve(double limitBytes);

  /// Returns at most `number` plans of the hull, from the fastest to one with
  /// few bytes.
  std::vector<HullPlan> front(int64_t number);

 private:
  /// Returns a plan whose cost at this price of a byte is within the relative
  /// gap of the least cost. There may be no plan if the least cost is above the
  /// ceiling.
  const HullPlan& hullPlan(double ticksPerByte, double gap,
                           Ticks ceiling = kNever);
  double fewestBytesOf(const std::vector<OpTable>& tables) const;
  void findPrice(double limitBytes, LimitedAnswer& answer);
  /// Looks for plans that begin like a hull plan above the limit and end like
  /// one within it, or the other way round.
  void splice(double limitBytes, LimitedAnswer& answer);
  ExactOptions searchOptions(double gap, Ticks ceiling) const;

  PricedChain* priced_;
  MemoryOptions options_;
  // Relative gaps of searches, and relative difference of equal prices. Scaled
  // by the number of blocks, since the gap between two plans does not grow with
  // depth.
  double roughGap_ = 0, priceGap_ = 0, samePrice_ = 0;
  std::map<double, HullPlan> known_;
  // The last search for a price, and the search with the best bound.
  std::unique_ptr<ExactSearch> last_, best_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_MEMORYLIMIT_H_
