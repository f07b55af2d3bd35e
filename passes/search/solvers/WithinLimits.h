// The cheapest assignment within limits of resources, such as bytes.
//
// There are three steps. Each may end the search:
//
//   1. Without limits. If the cheapest assignment fits, it is the answer.
//   2. Prices. The cheapest mixture (Mixture.h) has a price for each resource,
//      and gives a bound D for all plans that fit. Assignments of the mixture
//      that fit are plans; further plans are the cheapest assignments at
//      somewhat higher prices.
//   3. Labels. With the prices paid, each plan that fits costs at least D. Its
//      slack is what it costs above D. A plan that beats the best known plan
//      has less slack than the gap, the cost of the best known plan minus D.
//      Min-marginals (BucketTree.h) say how much slack a choice takes. Only
//      few choices are within the gap, so labels (Labels.h) can be kept for
//      them. The cheapest label that fits is the best plan.
//
// Step 3 first looks for plans with a slack of at most a ten-thousandth of the
// bound, and doubles this slack until a plan is found.
//
// If there are too many limits to consider all, they are added lazily: when the
// answer breaks a limit that was not considered, this limit is added, and the
// search continues with what it has, including the bound. The bound stays
// valid, because leaving out a limit only makes answers cheaper.

#ifndef PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_
#define PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_

#include <functional>
#include <optional>
#include <vector>

#include "passes/search/problem/Resources.h"
#include "passes/search/problem/Solution.h"
#include "passes/search/solvers/BucketTree.h"

namespace sbp::search {

/// A solution within limits, or the proof that there is none.
struct LimitedSolution : Solution {
  /// Whether the assignment is within all limits. If not, no assignment within
  /// the limits is known; this is the known one with the least excess over a
  /// limit, and `cost` is its cost.
  bool fits = false;
  /// Proven excess: every assignment exceeds some limit by at least this
  /// fraction of the limit. 0 if there is none or none is proven.
  double excess = 0;
};

/// Largest number of labels that step 3 may form; and the number up to which it
/// bounds labels by the best prices only, before it tries again with further
/// prices.
constexpr double kMaxLabels = 4e6, kFewLabels = 1e5;

/// Returns a resource whose limit an assignment exceeds and that was neither
/// given nor returned before; nullopt if there is none.
using BrokenLimit = std::function<std::optional<Resource>(const Assignment&)>;

/// Range of the cost of an answer, known before its search.
struct CostRange {
  /// Proven lower bound of the cost of an answer.
  Cost least = 0;
  /// Answers that cost as much or more are of no interest.
  Cost ceiling = kInfiniteCost;
};

/// Returns the cheapest assignment within the limits of `resources` and of
/// those that `broken` returns, or one that is within the gap of the run of
/// `limits`. If no such assignment costs less than the
/// ceiling of `range`, returns any assignment, with the ceiling as its lower
/// bound. Returns the best assignment known so far if `maxLabels` do not
/// suffice or the run of `limits` is over. Returns nullopt if the elimination
/// of `problem` would exceed `limits`, or if the run is over before the
/// elimination.
std::optional<LimitedSolution> solveWithinLimits(
    const Problem& problem, std::vector<Resource> resources,
    const BrokenLimit& broken = {}, CostRange range = {},
    EliminationLimits limits = {}, double maxLabels = kMaxLabels,
    double fewLabels = kFewLabels);

/// The result of leastCostsWithin().
struct LeastCostsWithin {
  /// Lower bound of the cost of every assignment within all limits.
  Cost lowerBound = 0;
  /// Proven excess, as in LimitedSolution.
  double excess = 0;
  /// Per variable and state, a lower bound of the cost of every assignment
  /// within all limits with this state. Empty if there is an excess.
  std::vector<std::vector<Cost>> with;
  /// The cheapest assignment at the prices of the bound.
  Assignment cheapest;
  /// Assignments that cost little more at these prices, the cheapest first:
  /// good ingredients of mixtures of similar problems.
  std::vector<Assignment> near;
};

/// Takes steps 1 and 2, and returns the min-marginals at their prices. `known`
/// are assignments with which the mixture begins: it is found sooner if most of
/// its assignments are known. Returns nullopt if elimination would exceed
/// `limits`, or if their run is over.
std::optional<LeastCostsWithin> leastCostsWithin(
    const Problem& problem, std::vector<Resource> resources,
    const std::vector<Assignment>& known = {}, EliminationLimits limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_WITHINLIMITS_H_
