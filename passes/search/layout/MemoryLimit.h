// The fastest plan that needs at most so many bytes on a device.
//
// Prices. Let each byte cost lambda: the least of time + lambda * bytes over
// all plans, less lambda times the limit, is at most the time of any plan
// within the limit. The search finds that least for any lambda; the best lambda
// is that of the best mixture of plans (solvers/Mixture.h).
//
// A first plan. Prices say which plans of the hull are the neighbours of the
// limit. One that begins like the one and ends like the other (Splice.h) is
// within the limit, and near the bound.
//
// Labels. Between the bound at that price and the first plan, all that plans
// may pass is a corridor, and the fastest plan is found along it
// (CorridorSearch.h).
//
// Memory is that of ops alone (OpCost.h), and any layout can be brought to any
// other. So the fewest bytes are those of each op for itself, and a limit below
// that cannot be met: it is known how many bytes are missing.

#ifndef PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_
#define PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/CorridorSearch.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/Splice.h"

namespace sbp::search {

/// A plan on the hull of time and memory: the best for some price of a byte.
struct HullPlan {
  double ticksPerByte = 0;
  TimeAndBytes cost;
  Ticks bound = 0;      // no plan has less time + ticksPerByte * bytes
  double gap = kNever;  // how near that its search ended
  LaidPlan laid;
};

class MemoryLimit {
 public:
  /// `priced` counts memory; its price of a byte is changed.
  MemoryLimit(PricedChain& priced, MemoryOptions options);

  /// The fewest bytes that any plan needs.
  double fewestBytes() const;

  LimitedAnswer solve(double limitBytes);

  /// Plans of the hull, from the fastest to one with few bytes; each that is
  /// looked for lies between two neighbours.
  std::vector<HullPlan> front(int64_t number);

 private:
  /// The best plan for that price of a byte, or one that is above the least
  /// cost by no more than that part of it; if there is one below the ceiling.
  const HullPlan& hullPlan(double ticksPerByte, double gap,
                           Ticks ceiling = kNever);
  double fewestBytesOf(const std::vector<OpTable>& tables) const;
  void findPrice(double limitBytes, LimitedAnswer& answer);
  /// Changes from plans of the hull that are too large to others within the
  /// limit.
  void splice(double limitBytes, LimitedAnswer& answer);
  ExactOptions searchOptions(double gap, Ticks ceiling) const;

  PricedChain* priced_;
  MemoryOptions options_;
  // Parts of what plans cost; what lies between two plans does not grow with
  // depth.
  double roughGap_ = 0, priceGap_ = 0, samePrice_ = 0;
  std::map<double, HullPlan> known_;
  // The last search for a price, and that with the best bound.
  std::unique_ptr<ExactSearch> last_, best_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_
