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
// Labels. A plan within the limit that takes less than D + slack, where D is
// the bound, costs less than D + slack + lambda * limit at that price. So it
// stays in a corridor (Corridor.h), and is found in it by labels (Labels.h).
// The slack begins small and grows until a plan is found within it: that is the
// optimum, for counts of axes. The passages that the plan takes are named
// (Fronts.h). If they keep what counts promise, the plan is real and the
// optimum; if not, labels are found anew.
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

#include "passes/search/layout/Corridor.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/Fronts.h"
#include "passes/search/layout/Labels.h"
#include "passes/search/layout/NamedPlan.h"
#include "passes/search/layout/Splice.h"

namespace sbp::search {

struct LimitedAnswer {
  TimeAndBytes cost;  // never: no plan was found
  /// No plan within the limit takes less; never: there is none.
  Ticks lowerBound = 0;
  double fewestBytes = 0;
  int64_t searches = 0, labelSearches = 0, labels = 0;
  std::optional<CrossedPlan> plan;
};

/// A plan on the hull of time and memory: the best for some price of a byte.
struct HullPlan {
  double ticksPerByte = 0;
  TimeAndBytes cost;
  Ticks bound = 0;      // no plan has less time + ticksPerByte * bytes
  double gap = kNever;  // how near that its search ended
  LaidPlan laid;
};

struct MemoryOptions {
  /// How much may be done to prove a plan: layouts carried over blocks, and
  /// labels formed.
  double maxWork = 1e8;
  int64_t maxLabels = 150'000'000;
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
  void findPlan(double limitBytes, LimitedAnswer& answer);

  /// The fastest plan along the corridor that takes no more than `most`, or
  /// that there is none; false if labels are too many.
  bool findFastest(const Corridor& corridor, Fronts& fronts,
                   const LeftAlong& left, Ticks most,
                   LimitedAnswer& answer) const;
  /// A plan along the corridor, if there is a better one to be found soon.
  void findSome(const Corridor& corridor, Fronts& fronts, const LeftAlong& left,
                LimitedAnswer& answer) const;
  /// Whether steps cost for axes with names what they were taken to cost, or
  /// else have other fronts now; missing if that takes too much.
  enum class Naming { Kept, Corrected, Missing };
  static Naming nameSteps(const Corridor& corridor, Fronts& fronts,
                          const LabelAnswer& labels);
  Naming keepIfBetter(const Corridor& corridor, const LabelAnswer& labels,
                      LimitedAnswer& answer) const;
  std::optional<CrossedPlan> planOf(const Corridor& corridor,
                                    const LabelAnswer& labels) const;
  std::optional<Crossing> crossingOf(const Passage& passage,
                                     const TimeAndBytes& cost) const;

  PricedChain* priced_;
  MemoryOptions options_;
  std::map<double, HullPlan> known_;
  // The last search for a price, and that with the best bound.
  std::unique_ptr<ExactSearch> last_, best_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_
