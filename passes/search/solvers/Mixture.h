// The cheapest mixture of assignments that fits its limits on average.
//
//      cost
//       |  a                a, b, c: assignments, each with its cost and
//       |   \               what it uses
//       |    \  .           half a and half b uses just the limit, and no
//       |     *---b         mixture that fits costs less
//       |     :   .
//       |     :      c
//       +-----+------------ bytes
//           limit
//
// A mixture is no plan, but what the best one costs is a bound for all plans
// that fit, and it prices the limits: what a byte more would save. With these
// prices a problem without limits, cost + price x uses, decides whether a new
// assignment would improve the mixture; if none does, the mixture is best. (The
// Lagrangian dual, solved by column generation: Dantzig and Wolfe, 1960.)

#ifndef PASSES_SEARCH_SOLVERS_MIXTURE_H_
#define PASSES_SEARCH_SOLVERS_MIXTURE_H_

#include <cstddef>
#include <vector>

namespace sbp::search {

/// What one assignment costs, and uses of each resource as a part of its limit.
struct Ingredient {
  double cost = 0;
  std::vector<double> uses;
};

/// The best mixture of some ingredients.
struct Mixture {
  double cost = 0;
  /// By how much, as a part of the limits, even the best mixture exceeds them;
  /// if it does, its cost and prices are about that excess only.
  double excess = 0;
  /// Per resource, what the cost falls by per limit that there is more of.
  std::vector<double> prices;
};

/// The cheapest mixture of `ingredients`, of which there is at least one and
/// which all use the same number of resources; if none fits, the one that
/// exceeds the limits by least, where the largest excess counts.
Mixture mix(const std::vector<Ingredient>& ingredients);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_MIXTURE_H_
