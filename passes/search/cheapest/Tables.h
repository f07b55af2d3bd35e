// The exact search of a decision graph by tables.
//
// Memory is limited at every moment, and there are thousands of moments. So the
// search begins without limits. If the plan found exceeds the limit at some
// moment, this moment becomes a resource with a limit, and the search goes on
// (WithinLimits.h). Leaving out limits keeps bounds valid for all plans that
// fit; and the last plan breaks no limit, so it fits.
//
// If a tensor has so many uses that no table holds their prices, the graph is
// solved twice: with prices that are too high, for the plan, and with prices
// that are too low, for the bound (Pricing.h).

#ifndef PASSES_SEARCH_CHEAPEST_TABLES_H_
#define PASSES_SEARCH_CHEAPEST_TABLES_H_

#include <optional>
#include <vector>

#include "passes/search/cheapest/CheapestPlan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/FlowShares.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/run/SearchRun.h"
#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/WithinLimits.h"

namespace sbp::search {

/// Most entries of a table over more than two decisions.
constexpr double kMaxTableEntries = 3e5;

/// Whether a bound of the answer is wanted.
enum class Proof { Wanted, NotWanted };

/// Returns a cheapest assignment of those that take at most `memoryBytes`. If
/// none costs less than the ceiling of `range`, the result may be any
/// assignment, with the ceiling as its bound. Returns nullopt if this would
/// take too much, or if `run` is over before an assignment is found. `moments`
/// are moments at which the limit may be broken; others are added as they are
/// found. `shares` are the shares of decisions in all flows (FlowShares.h), or
/// null. With Proof::NotWanted there is no bound, and under a limit the answer
/// may not be the cheapest: the last improvements would take most of the time.
std::optional<CheapestPlan> searchTables(
    const DecisionGraph& graph, double memoryBytes, Movements& movements,
    std::vector<Moment>& moments, const FlowShares* shares = nullptr,
    CostRange range = {}, const SearchRun& run = {},
    Proof proof = Proof::Wanted);

/// The result of leastCostsOf().
struct LeastCostsOfGraph : LeastCosts {
  /// Whether the costs are exact, and not only lower bounds.
  bool isExact = true;
};

/// Returns the min-marginals of all decisions, without a memory limit, and a
/// plan that is cheapest by these prices. Flows whose table would have more
/// than `maxEntries` entries are priced too low: by `shares`, if not null. A
/// cost above `ceiling` is infinite. Returns nullopt if this would take too
/// much, or if `run` is over.
std::optional<LeastCostsOfGraph> leastCostsOf(
    const DecisionGraph& graph, Movements& movements,
    double maxEntries = kMaxTableEntries, const FlowShares* shares = nullptr,
    Cost ceiling = kInfiniteCost, const SearchRun& run = {});

/// Does the same for plans that take at most `memoryBytes` at each of
/// `moments`, which must not be empty. If the result has an excess, it is
/// proven for plans that cost at most `ceiling`. `known` are plans to begin
/// with, such as LeastCostsWithin::near of a similar graph.
std::optional<LeastCostsWithin> leastCostsWithin(
    const DecisionGraph& graph, double memoryBytes,
    llvm::ArrayRef<Moment> moments, Movements& movements, double maxEntries,
    const FlowShares* shares, Cost ceiling,
    const std::vector<Assignment>& known, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_TABLES_H_
