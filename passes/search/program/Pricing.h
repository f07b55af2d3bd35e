// From a decision graph to a problem of tables: what every choice costs.
//
// A decision is a variable, and its computation the variable's own cost. A flow
// is a table over the decisions that it links: for all placements in which the
// tensor may be made and wanted, the price of serving its uses
// (FlowVersions.h) from the one table of transitions. So a plan costs here what
// its collectives will cost in the program.
//
// A decision of many states lays one tensor in few ways: an einsum on two axes
// has 49 signatures and 25 placements of its input. Where a flow links more
// than two decisions, each is seen through a variable of its own, whose states
// are these placements.

#ifndef PASSES_SEARCH_PROGRAM_PRICING_H_
#define PASSES_SEARCH_PROGRAM_PRICING_H_

#include <optional>

#include "passes/search/Problem.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/Counting.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/FlowShares.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/Movements.h"
#include "passes/search/solvers/Resources.h"

namespace sbp::search {

/// The price of a flow that links so many decisions that no table can hold it.
enum class WideFlows {
  /// As if each use were served for itself: no less than the price.
  Above,
  /// What each decision pays at least: no more. Where that is not known, as if
  /// the uses shared all but a part each of what they need.
  Below,
};

struct PricedProblem {
  /// The first variables are the decisions, in order; behind them stand
  /// variables that see one each. Costs are seconds per step.
  Problem problem;
  /// What a variable behind the decisions sees: one of them, and as which of
  /// the variable's own states each of that one's.
  struct Sight {
    int64_t decision;
    std::vector<State> seenAs;
  };
  std::vector<Sight> sights;
  /// Per moment that was asked for, the bytes that are in memory then.
  std::vector<Resource> memory;
  /// No flow was too wide.
  bool isExact = true;

  /// An assignment of the decisions with the states of all who see them.
  Assignment ofAllVariables(Assignment ofDecisions) const;
};

/// The problem of `graph`, with at most `memoryBytes` in memory at each of
/// `moments`. The tables are the same ones, in the same order, whatever moments
/// are asked for; but if memory has no limit at all, or zero, there are none
/// where nothing costs time.
///
/// A flow of more than two decisions is too wide if its table would have more
/// than `maxEntries` entries. With none, the decisions are the only variables.
/// A flow that is too wide takes no memory Below, and for each use a version of
/// its own Above. `shares` are those of all flows, if they are known. Bytes are
/// counted as `counting` says.
///
/// Nothing when `run` is over, or has no room for the tables.
std::optional<PricedProblem> problemOf(
    const DecisionGraph& graph, Movements& movements, const SearchRun& run,
    WideFlows wideFlows, llvm::ArrayRef<Moment> moments = {},
    double memoryBytes = 0, double maxEntries = 3e5,
    const FlowShares* shares = nullptr, Counting counting = Counting::Ample);

/// How many prices are asked for at most; that takes a few seconds.
constexpr double kMaxPrices = 3e7;

/// How many prices `problemOf` asks for, known without asking. Flows that are
/// alike are priced once, but for those that are in memory at a moment.
double numPrices(const DecisionGraph& graph, double maxEntries = 3e5);

/// How many entries the tables of `problemOf` have at most, known without
/// making them.
double numEntries(const DecisionGraph& graph, double maxEntries = 3e5);

/// What the ops compute in one step if decision i has `assignment[i]`.
double computingSeconds(const DecisionGraph& graph,
                        const Assignment& assignment);

/// What all movements, and ops that communicate themselves, take then.
double communicatingSeconds(const DecisionGraph& graph,
                            const Assignment& assignment, Movements& movements);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_PRICING_H_
