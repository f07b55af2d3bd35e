// A decision graph (DecisionGraph.h) as a problem of tables (Problem.h): the
// costs of all choices.
//
// A decision is a variable, and the time that it computes is the variable's own
// cost. A flow is a table over the decisions that it links: for all placements
// of its slots, the cost of serving its uses (FlowVersions.h), by the prices
// that boxing uses. So the cost of a plan here is the cost of its collectives
// in the program.
//
// A decision of many states has few placements of one tensor: an einsum on two
// axes has 49 signatures and 25 placements of its input. If a flow links more
// than two decisions, its table is over further variables, one per decision,
// whose states are these placements.

#ifndef PASSES_SEARCH_DECISIONS_PRICING_H_
#define PASSES_SEARCH_DECISIONS_PRICING_H_

#include <optional>

#include "passes/search/decisions/Counting.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/FlowShares.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/problem/Problem.h"
#include "passes/search/problem/Resources.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Price of a wide flow: one that links so many decisions that no table can
/// hold its prices.
enum class WideFlows {
  /// An upper bound: each use is served from the maker.
  Above,
  /// A lower bound: the shares of the decisions (FlowShares.h). If they are not
  /// known, the mean of the prices of serving one use.
  Below,
};

/// The result of problemOf().
struct PricedProblem {
  /// The problem. Its first variables are the decisions, in order. Each further
  /// variable stands for the placements of one tensor in one decision. Costs
  /// are seconds per step.
  Problem problem;
  /// A further variable: the index of its decision, and its own state for each
  /// state of the decision.
  struct ProjectedDecision {
    int64_t decision;
    std::vector<State> projectionOf;
  };
  /// The further variables, in order.
  std::vector<ProjectedDecision> projected;
  /// Per moment that was asked for, the bytes that are in memory at that
  /// moment.
  std::vector<Resource> memory;
  /// Whether no flow was wide.
  bool isExact = true;

  /// Extends an assignment of the decisions to all variables.
  Assignment ofAllVariables(Assignment ofDecisions) const;
};

/// Returns the problem of `graph`, with at most `memoryBytes` in memory at each
/// of `moments`. The number and the order of its tables do not depend on
/// `moments`. If `memoryBytes` is infinite or 0, flows that cost nothing have
/// no table.
///
/// A flow of more than two decisions is wide if its table would have more than
/// `maxEntries` entries. If `maxEntries` is 0, the decisions are the only
/// variables. With WideFlows::Below a wide flow takes no memory; with
/// WideFlows::Above each use has a version of its own. `shares` are the shares
/// of all flows, or null if they are not known. Bytes are counted as `counting`
/// says.
///
/// Returns nullopt if `run` is over, or does not allow the memory of the
/// tables.
std::optional<PricedProblem> problemOf(
    const DecisionGraph& graph, Movements& movements, const SearchRun& run,
    WideFlows wideFlows, llvm::ArrayRef<Moment> moments = {},
    double memoryBytes = 0, double maxEntries = 3e5,
    const FlowShares* shares = nullptr, Counting counting = Counting::Ample);

/// Largest number of prices of a problem; they take a few seconds.
constexpr double kMaxPrices = 3e7;

/// Returns the number of prices that problemOf() needs, without making the
/// problem. Alike flows are priced once, unless they are in memory at a moment.
double numPrices(const DecisionGraph& graph, double maxEntries = 3e5);

/// Returns an upper bound of the number of entries of all tables of
/// problemOf(), without making them.
double numEntries(const DecisionGraph& graph, double maxEntries = 3e5);

/// Returns the seconds that ops compute in one step, if decision i has state
/// `assignment[i]`.
double computingSeconds(const DecisionGraph& graph,
                        const Assignment& assignment);

/// Returns the seconds of all movements in one step, and of ops that
/// communicate themselves, if decision i has state `assignment[i]`.
double communicatingSeconds(const DecisionGraph& graph,
                            const Assignment& assignment, Movements& movements);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_PRICING_H_
