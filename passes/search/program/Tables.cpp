#include "passes/search/program/Tables.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/program/Pricing.h"

namespace sbp::search {
namespace {

/// The exact search, as far as elimination goes.
class Search {
 public:
  Search(const DecisionGraph& graph, double memoryBytes, Movements& movements,
         std::vector<Moment>& moments, const FlowShares* shares)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        moments_(moments),
        shares_(shares) {}

  /// Nothing when elimination would take too much.
  std::optional<CheapestPlan> run() {
    // What has so many prices is not eliminated when it has them all.
    if (numPrices(graph_) > kMaxPrices) return std::nullopt;
    while (true) {
      std::optional<LimitedSolution> found = solve();
      if (!found) return std::nullopt;
      CheapestPlan plan;
      plan.solution = *found;
      plan.solution.assignment.resize(graph_.decisions.size());
      plan.memory = peakMemory(graph_, plan.solution.assignment, movements_);
      plan.fits = plan.memory.bytes <= memoryBytes_;
      if (found->excess > 0)
        plan.leastBytes = graph_.otherBytes() +
                          (1 + found->excess) * ownLimit(graph_, memoryBytes_);
      bool isNew = !llvm::is_contained(moments_, plan.memory.moment);
      if (plan.fits || found->excess > 0 || !isNew) return plan;
      moments_.push_back(plan.memory.moment);
    }
  }

 private:
  std::optional<LimitedSolution> solve() {
    bool isExact = false;
    std::optional<LimitedSolution> above = solve(WideFlows::Above, isExact);
    // What has taken all labels once would do so again with more limits.
    if (above && !above->isOptimal()) maxLabels_ = 0;
    if (!above || isExact) return above;
    std::optional<LimitedSolution> below = solve(WideFlows::Below, isExact);
    above->lowerBound = below ? below->lowerBound : 0;
    above->excess = below ? below->excess : 0;
    return above;
  }

  std::optional<LimitedSolution> solve(WideFlows wideFlows,
                                       bool& isExact) const {
    PricedProblem priced = problemOf(graph_, movements_, wideFlows, moments_,
                                     memoryBytes_, kMaxTableEntries, shares_);
    isExact = priced.isExact;
    priced.problem.roundToTicks();
    std::vector<Assignment> seen;
    return solveWithinLimits(priced.problem, priced.memory, seen,
                             EliminationLimits(), maxLabels_);
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  std::vector<Moment>& moments_;
  const FlowShares* shares_;
  double maxLabels_ = kMaxLabels;
};

}  // namespace

std::optional<CheapestPlan> searchTables(const DecisionGraph& graph,
                                         double memoryBytes,
                                         Movements& movements,
                                         std::vector<Moment>& moments,
                                         const FlowShares* shares) {
  return Search(graph, memoryBytes, movements, moments, shares).run();
}

std::optional<LeastCostsOfGraph> leastCostsOf(const DecisionGraph& graph,
                                              Movements& movements,
                                              double maxEntries,
                                              const FlowShares* shares) {
  if (numPrices(graph, maxEntries) > kMaxPrices) return std::nullopt;
  PricedProblem priced =
      problemOf(graph, movements, WideFlows::Below, {}, 0, maxEntries, shares);
  priced.problem.roundToTicks();
  auto least = leastCosts(priced.problem);
  if (!least) return std::nullopt;
  // Behind the decisions stand the variables of Pricing.h.
  least->with.resize(graph.decisions.size());
  least->cheapest.assignment.resize(graph.decisions.size());
  return LeastCostsOfGraph{std::move(*least), priced.isExact};
}

std::optional<LeastCostsWithin> leastCostsWithin(const DecisionGraph& graph,
                                                 double memoryBytes,
                                                 llvm::ArrayRef<Moment> moments,
                                                 Movements& movements,
                                                 double maxEntries,
                                                 const FlowShares* shares) {
  if (numPrices(graph, maxEntries) > kMaxPrices) return std::nullopt;
  PricedProblem priced = problemOf(graph, movements, WideFlows::Below, moments,
                                   memoryBytes, maxEntries, shares);
  priced.problem.roundToTicks();
  std::vector<Assignment> seen;
  auto least = leastCostsWithin(priced.problem, priced.memory, seen);
  if (!least) return std::nullopt;
  least->with.resize(graph.decisions.size());
  least->cheapest.resize(graph.decisions.size());
  return least;
}

}  // namespace sbp::search
