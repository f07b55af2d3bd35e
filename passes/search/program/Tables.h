// The exact search of a decision graph, as far as tables go.
//
// Memory is a limit at every moment, and there are thousands. So the search
// begins with none of them; when the plan that it finds takes too much at some
// moment, that moment becomes a resource with a limit, and the search goes on
// (WithinLimits.h). Limits are left out, so a bound holds for all plans that
// fit; and the last plan keeps them all, so it is one of these.
//
// Where a tensor has so many uses that no table holds them, the graph is solved
// twice: with prices that are too high, which gives the plan, and with prices
// that are too low, which gives the bound (Pricing.h).

#ifndef PASSES_SEARCH_PROGRAM_TABLES_H_
#define PASSES_SEARCH_PROGRAM_TABLES_H_

#include <optional>
#include <vector>

#include "passes/search/SearchRun.h"
#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/FlowShares.h"
#include "passes/search/program/Movements.h"
#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/WithinLimits.h"

namespace sbp::search {

/// How many entries a table over more than two decisions may have.
constexpr double kMaxTableEntries = 3e5;

/// Whether it is to be known how far an answer is from the best.
enum class Proof { Wanted, NotWanted };

/// A cheapest assignment of those that take at most `memoryBytes`; if none
/// costs less than the ceiling of `range` perhaps another, and the ceiling is a
/// bound. Nothing when that would take too much, or when `run` is over before
/// there is one. `moments` are some at which
/// the limit may be broken; others that turn up are added. `shares` are what
/// decisions pay at least of all flows, if that is known. Where no proof is
/// wanted there is no bound, and under a limit the answer need not be the
/// cheapest: most of the time goes into the last of the way.
std::optional<CheapestPlan> searchTables(
    const DecisionGraph& graph, double memoryBytes, Movements& movements,
    std::vector<Moment>& moments, const FlowShares* shares = nullptr,
    CostRange range = {}, const SearchRun& run = {},
    Proof proof = Proof::Wanted);

struct LeastCostsOfGraph : LeastCosts {
  /// Whether plans with these states are to be had at these costs, and not only
  /// dearer ones.
  bool isExact = true;
};

/// What each state of each decision costs at least, whatever memory it takes,
/// with a plan that costs least by these prices; they are too low where a table
/// would have more than `maxEntries`: of what flows take there, decisions pay
/// their `shares`, if these are known. Infinite where that is more than
/// `ceiling`. Nothing when that would take too much, or when `run` is over.
std::optional<LeastCostsOfGraph> leastCostsOf(
    const DecisionGraph& graph, Movements& movements,
    double maxEntries = kMaxTableEntries, const FlowShares* shares = nullptr,
    Cost ceiling = kInfiniteCost, const SearchRun& run = {});

/// The same of plans that take at most `memoryBytes` at each of `moments`, of
/// which there is at least one; an excess is that of plans up to the ceiling.
/// `known` are plans to begin with, those near the bound of a like graph.
std::optional<LeastCostsWithin> leastCostsWithin(
    const DecisionGraph& graph, double memoryBytes,
    llvm::ArrayRef<Moment> moments, Movements& movements, double maxEntries,
    const FlowShares* shares, Cost ceiling,
    const std::vector<Assignment>& known, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_TABLES_H_
