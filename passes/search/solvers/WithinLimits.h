// The cheapest assignment that fits: costs add up, and so do bytes, of which
// there is a limit.
//
// Three steps, each of which may be the last:
//
//   1. Without limits. If the cheapest assignment fits, it is the answer.
//   2. Prices. The cheapest mixture (Mixture.h) gives each resource a price and
//      all plans a bound D. Ingredients that fit are plans, and so is what is
//      cheapest at somewhat higher prices.
//   3. Labels. With the prices paid, every plan costs at least D, and one that
//      costs less than the best known plan by less than that. So only choices
//      count that lose less than this slack (BucketTree.h says how much each
//      loses), and among them are few enough to keep, for every choice of a
//      scope, all pairs of cost and uses of which none is better in both. The
//      cheapest that fits is then the best plan.
//
// Step 3 begins with a slack of a ten-thousandth and doubles it until a plan is
// found within it.
//
// Where there are more limits than it pays to look at, those that matter turn
// up on the way: when the answer breaks one that was not looked at, it is added
// and the search goes on with all that it has, the bound first of all. What is
// left out only makes an answer cheaper.

#ifndef PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_
#define PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_

#include <functional>
#include <optional>
#include <vector>

#include "passes/search/solvers/BucketTree.h"
#include "passes/search/solvers/Resources.h"
#include "passes/search/solvers/Solution.h"

namespace sbp::search {

struct LimitedSolution : Solution {
  /// Whether the assignment is within all limits. If not, none is known that
  /// is, `cost` is what this one costs all the same, and of those seen it is
  /// the one that exceeds a limit by least.
  bool fits = false;
  /// Every assignment exceeds some limit by at least this part of it; zero when
  /// that is not so, or not known.
  double excess = 0;
};

/// How many pairs of cost and uses step 3 may form; and with how many it does
/// not pay to bound them at other prices than the best.
constexpr double kMaxLabels = 4e6, kFewLabels = 1e5;

/// A resource of which an assignment uses more than there is, beside those that
/// were given or returned before; nothing if there is none.
using BrokenLimit = std::function<std::optional<Resource>(const Assignment&)>;

/// What is known of the cost of an answer before it is searched.
struct CostRange {
  /// It costs no less.
  Cost least = 0;
  /// If it costs as much or more, it is not looked for.
  Cost ceiling = kInfiniteCost;
};

/// The cheapest assignment of those that use no more of any of `resources` than
/// there is, nor of those that `broken` knows; if it costs less than the
/// ceiling of `range`, or else some assignment, and the ceiling is a bound.
/// Nothing when elimination would take more than `limits` allow. When the run
/// that they name is over, what is known by then.
std::optional<LimitedSolution> solveWithinLimits(
    const Problem& problem, std::vector<Resource> resources,
    const BrokenLimit& broken = {}, CostRange range = {},
    EliminationLimits limits = {}, double maxLabels = kMaxLabels,
    double fewLabels = kFewLabels);

struct LeastCostsWithin {
  /// No assignment within all limits costs less.
  Cost lowerBound = 0;
  /// As in LimitedSolution.
  double excess = 0;
  /// Per variable and state, what an assignment within all limits that has it
  /// costs at least; nothing if there is an excess.
  std::vector<std::vector<Cost>> with;
  /// The cheapest at the prices of the bound.
  Assignment cheapest;
  /// Some that cost little more at these prices, the cheapest first: mixtures
  /// of problems that are much like this one have them too.
  std::vector<Assignment> near;
};

/// Steps 1 and 2, and what each state costs at least by their prices. The best
/// mixture is sooner found when most of it is `known`. Nothing when elimination
/// would take more than `limits` allow.
std::optional<LeastCostsWithin> leastCostsWithin(
    const Problem& problem, std::vector<Resource> resources,
    const std::vector<Assignment>& known = {}, EliminationLimits limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_
