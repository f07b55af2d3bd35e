// What the search of QuotientSearch.h weighs against each other. No constant
// changes what is proven; each changes how soon.

#ifndef PASSES_SEARCH_CHEAPEST_QUOTIENTTUNING_H_
#define PASSES_SEARCH_CHEAPEST_QUOTIENTTUNING_H_

namespace sbp::search {

/// The constants of one search, in the order in which it meets them.
struct QuotientTuning {
  /// Fraction of the time that tables of the whole graph may take before the
  /// quotient is searched.
  double tablesShare = 0.6;
  /// Fraction of the time for the exact search. The rest is for the descent by
  /// pairs of axes, which improves a plan.
  double exactShare = 0.7;
  /// Sweeps of messages end when sweepsAtATime of them raise the bound by less
  /// than the fraction `little`, or after maxSweeps. A higher bound against
  /// time.
  int sweepsAtATime = 10, maxSweeps = 200;
  double little = 1e-4;
  /// First and last distance of the threshold from the first bound, as
  /// fractions of this bound; after the last one the threshold is infinite. The
  /// distance is multiplied by `step` each time, or by wideStep while plans are
  /// likely to be farther away. States above the optimum, against searches.
  double firstSlack = 1e-4, lastSlack = 2;
  double step = 2, wideStep = 8;
  /// Relative distance from the bound above which a plan may be a bad one.
  double far = 5e-3;
  /// Most prices of a search of states within memory. There are several such
  /// searches.
  double maxPricesWithin = 3e6;
  /// Most prices between the states of two decisions; those of alike flows
  /// count once. They take a few seconds.
  double maxStatePrices = 1.2e7;
};

inline constexpr QuotientTuning kQuotient;

/// Most entries of a table: first few, then, with what is left, more.
inline constexpr double kQuotientEntries[] = {3e4, 3e6};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_QUOTIENTTUNING_H_
