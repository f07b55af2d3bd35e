// What a search within bytes (MemoryLimit.h) weighs against each other. No
// constant changes what is proven; each changes how soon, and how near an
// unproven plan is to its bound.

#ifndef PASSES_SEARCH_BUDGET_BUDGETTUNING_H_
#define PASSES_SEARCH_BUDGET_BUDGETTUNING_H_

#include <cstddef>
#include <cstdint>

namespace sbp::search {

/// The constants of one search, in the order in which it meets them. Gaps and
/// slacks are fractions of the time of a block, as the distance of the best
/// plan from the bound does not grow with depth.
struct BudgetTuning {
  // --- The price of a byte.

  /// Most prices that are tried.
  int64_t maxPrices = 40;
  /// Cost of all bytes at the first price, as a fraction of the time.
  double firstShare = 0.02;
  /// Gaps at which searches for prices end: while the price is looked for, and
  /// for the plans of the last mixture. Time per price against prices.
  double roughGap = 1, priceGap = 0.02;
  /// Limit of the work of each of these searches.
  double priceWork = 4e7;
  /// Additional work of the search at the best price.
  double bestPriceWork = 1e8;
  /// Relative difference below which prices have almost equal bounds.
  double samePrice = 0.2;

  // --- A first plan.

  /// Number of pairs of hull plans that are spliced, and most layouts that are
  /// examined for one transition between them. A better first plan against
  /// time.
  size_t mostSpliced = 3;
  int64_t splicedLooks = 5'000;
  /// Mixing ends with a plan that is at most this far from the bound.
  double nearEnough = 0.05;

  // --- The slack.

  /// First slack of a reduced space. Then, the factor of the slack if no plan
  /// was found, and if it was known before the search that there is none.
  /// Labels above the optimum, against searches.
  double firstSlack = 0.02;
  double slackGrowth = 1.6, emptySlackGrowth = 2.5;
  /// Divisor of the slack after a reduced space that is too wide, and least
  /// slack.
  double slackDecline = 2, leastSlack = 0.004;
  /// If one part of the slack takes hardly more labels than the one before, the
  /// rest is searched at once: at most this factor.
  double hardlyMore = 2;

  // --- Limits.

  /// Most arcs of all reduced spaces together.
  int64_t mostPasses = 4'000'000;
  /// Fraction of the work left for one reduced space; all of it if even the
  /// least slack takes more.
  double partOfWork = 0.25;
  /// Most labels that are kept: some hundred megabytes.
  size_t mostKept = 12'000'000;
  /// Labels that are kept per position in a search for any better plan.
  int64_t someLabels = 300;

  // --- Fronts and lifting.

  /// Number of labels that take as long as lifting the arcs of one layout.
  int64_t labelsPerLifted = 100'000;
  /// Cost of the fronts from one layout, in sweeps.
  double sweepsPerStart = 0.2;
  /// Number of times that the steps of a plan are lifted before all arcs are,
  /// or before the plan is given up.
  int64_t someTimes = 3;
};

inline constexpr BudgetTuning kBudget;

/// Distances from the bound up to which mixed plans are searched, in turn.
inline constexpr double kMixedSlacks[] = {0.0125, 0.025, 0.05};

/// Fractions of the slack that are searched in turn.
inline constexpr double kPartsOfSlack[] = {0.5, 0.75, 1};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_BUDGETTUNING_H_
