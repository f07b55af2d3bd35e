// The cheapest mixture of assignments, within limits of resources
// (Resources.h). A mixture gives each assignment a weight; the weights add up
// to 1. Its cost and its uses are the weighted means.
//
//      cost
//       |  a                a, b, c: assignments, each with its cost and
//       |   \               what it uses
//       |    \  .           half a and half b uses just the limit, and no
//       |     *---b         mixture within the limit costs less
//       |     :   .
//       |     :      c
//       +-----+------------ bytes
//           limit
//
// A mixture is no plan. But the cost of the best mixture is a lower bound for
// all plans that fit, and the mixture gives each limit a price: the saving per
// additional byte. If an assignment improves the mixture, so does the cheapest
// one by cost + price x uses, which is found without limits. If it does not,
// the mixture is the best. This is the Lagrangian dual, solved by column
// generation (Dantzig and Wolfe, 1960).

#ifndef PASSES_SEARCH_SOLVERS_MIXTURE_H_
#define PASSES_SEARCH_SOLVERS_MIXTURE_H_

#include <cstddef>
#include <vector>

namespace sbp::search {

/// Cost of one assignment, and its use of each resource as a fraction of the
/// limit.
struct Ingredient {
  double cost = 0;
  std::vector<double> uses;
};

/// The best mixture of some ingredients.
struct Mixture {
  double cost = 0;
  /// Least excess over a limit that any mixture has, as a fraction of the
  /// limit; 0 if some mixture fits. If positive, `cost` is 0, and the prices
  /// are for a unit of excess instead of cost.
  double excess = 0;
  /// Price of each resource: the rate at which the cost falls as the limit
  /// grows, in cost per whole limit.
  std::vector<double> prices;
};

/// Returns the cheapest mixture of `ingredients` that fits. If none fits,
/// returns the mixture whose largest excess over a limit is least.
/// `ingredients` must not be empty, and all must have the same number of uses.
Mixture mix(const std::vector<Ingredient>& ingredients);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_MIXTURE_H_
