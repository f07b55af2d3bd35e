// The result of a search of a decision graph.

#ifndef PASSES_SEARCH_CHEAPEST_CHEAPESTPLAN_H_
#define PASSES_SEARCH_CHEAPEST_CHEAPESTPLAN_H_

#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/problem/Solution.h"

namespace sbp::search {

/// The best plan that a search found, with its bounds.
struct CheapestPlan {
  /// A state per decision. Its cost is never less than the true cost of the
  /// plan.
  Solution solution;
  PeakMemory memory;
  /// Whether `memory` is within the limit. If not, no plan within the limit is
  /// known, and this is the known plan with the least memory.
  bool fits = true;
  /// Proven lower bound of the memory of every plan, bytes, if this plan does
  /// not fit; 0 if none is known.
  double leastBytes = 0;
};

/// Returns the plan `assignment` without bounds, for a limit of `memoryBytes`.
CheapestPlan pricedPlan(const DecisionGraph& graph, Assignment assignment,
                        double memoryBytes, Movements& movements);

/// Whether the plan is proven to be the best, up to the fraction `gap` and
/// rounding, or proven not to fit.
inline bool isProven(const CheapestPlan& plan, double gap = 0) {
  constexpr double kRounding = 1e-9;
  if (!plan.fits) return plan.leastBytes > 0;
  return plan.solution.cost <= plan.solution.lowerBound * (1 + gap + kRounding);
}

/// Whether `a` is preferred to `b`: a plan that fits to one that does not; of
/// two that fit, the cheaper one; of two that do not, the one with less memory.
inline bool isBetter(const CheapestPlan& a, const CheapestPlan& b) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return a.memory.bytes < b.memory.bytes;
  return a.solution.cost < b.solution.cost;
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_CHEAPESTPLAN_H_
