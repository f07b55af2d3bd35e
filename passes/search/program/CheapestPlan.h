// What a search of a decision graph answers.

#ifndef PASSES_SEARCH_PROGRAM_CHEAPESTPLAN_H_
#define PASSES_SEARCH_PROGRAM_CHEAPESTPLAN_H_

#include "passes/search/program/Memory.h"
#include "passes/search/solvers/Solution.h"

namespace sbp::search {

struct CheapestPlan {
  /// Of the decisions. The cost is never less than what it takes.
  Solution solution;
  PeakMemory memory;
  /// Whether that is within the limit. If not, no plan is known that is, and of
  /// those seen this takes least.
  bool fits = true;
  /// If it does not fit: for certain, no plan takes less than this.
  double leastBytes = 0;
};

/// Whether no plan costs less, but for rounding; or none fits.
inline bool isProven(const CheapestPlan& plan) {
  constexpr double kRounding = 1e-9;
  if (!plan.fits) return plan.leastBytes > 0;
  return plan.solution.cost <= plan.solution.lowerBound * (1 + kRounding);
}

/// Whether `a` is to be had rather than `b`.
inline bool isBetter(const CheapestPlan& a, const CheapestPlan& b) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return a.memory.bytes < b.memory.bytes;
  return a.solution.cost < b.solution.cost;
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CHEAPESTPLAN_H_
