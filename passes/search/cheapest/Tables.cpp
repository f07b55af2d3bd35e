#include "passes/search/cheapest/Tables.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/decisions/Pricing.h"

namespace sbp::search {
namespace {

/// Fraction of an answer's cost that rounding to ticks may lose.
constexpr double kRounding = 1e-10;

/// Costs above this multiple of the cheapest plan's cost need not be precise.
constexpr double kFar = 1000;

/// The exact search, as far as elimination allows.
class Search {
 public:
  Search(const DecisionGraph& graph, double memoryBytes, Movements& movements,
         std::vector<Moment>& moments, const FlowShares* shares,
         CostRange range, const SearchRun& run, Proof proof)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        moments_(moments),
        shares_(shares),
        range_(range),
        run_(run),
        proof_(proof) {}

  /// Returns nullopt if elimination would take too much.
  std::optional<CheapestPlan> run() {
    // With so many prices, elimination would take too much too.
    if (numPrices(graph_) > kMaxPrices) return std::nullopt;
    bool isExact = false;
    std::optional<LimitedSolution> found = solve(
        WideFlows::Above,
        [this](const Assignment& assignment) { return broken(assignment); },
        isExact);
    if (!found) return std::nullopt;
    if (proof_ == Proof::NotWanted) {
      found->lowerBound = found->excess = 0;
    } else if (!isExact) {
      auto below = solve(WideFlows::Below, /*broken=*/{}, isExact);
      found->lowerBound = below ? below->lowerBound : 0;
      found->excess = below ? below->excess : 0;
    }
    CheapestPlan plan;
    plan.solution = *found;
    plan.solution.assignment = decided(found->assignment);
    plan.memory = peakMemory(graph_, plan.solution.assignment, movements_);
    plan.fits = plan.memory.bytes <= memoryBytes_;
    if (found->excess > 0)
      plan.leastBytes = graph_.otherBytes() +
                        (1 + found->excess) * ownLimit(graph_, memoryBytes_);
    return plan;
  }

 private:
  Assignment decided(Assignment assignment) const {
    assignment.resize(graph_.decisions.size());
    return assignment;
  }

  std::optional<LimitedSolution> solve(WideFlows wideFlows,
                                       const BrokenLimit& broken,
                                       bool& isExact) const {
    std::optional<LimitedSolution> found;
    for (Cost ceiling = range_.ceiling;;) {
      std::optional<PricedProblem> made = problemAt(moments_, wideFlows);
      if (!made) return found;
      PricedProblem& priced = *made;
      isExact = priced.isExact;
      if (found) {
        Cost cost = priced.problem.cost(found->assignment);
        if (!(cost < ceiling / 2)) return found;
        ceiling = cost;
      }
      priced.problem.forbidAbove(ceiling);
      Cost rounding = priced.problem.roundToTicks();
      EliminationLimits limits;
      limits.run = run_;
      found = solveWithinLimits(priced.problem, std::move(priced.memory),
                                broken, range_, limits, maxLabels());
      // If the problem has prices that are far too large for any plan, ticks
      // are so coarse that the cost of the answer is lost. Then solve again
      // without such prices.
      if (!found || !found->fits || rounding <= kRounding * found->cost)
        return found;
    }
  }

  double maxLabels() const {
    // Labels close the last part of the gap, and take most of the time.
    return proof_ == Proof::Wanted && run_.gap() == 0 ? kMaxLabels : kFewLabels;
  }

  /// Returns the limit at the worst moment of `assignment`, if the plan breaks
  /// it.
  std::optional<Resource> broken(const Assignment& assignment) {
    PeakMemory peak = peakMemory(graph_, decided(assignment), movements_);
    if (peak.bytes <= memoryBytes_ || llvm::is_contained(moments_, peak.moment))
      return std::nullopt;
    auto priced = problemAt(peak.moment, WideFlows::Above);
    if (!priced) return std::nullopt;
    moments_.push_back(peak.moment);
    return std::move(priced->memory.front());
  }

  std::optional<PricedProblem> problemAt(llvm::ArrayRef<Moment> moments,
                                         WideFlows wideFlows) const {
    return problemOf(graph_, movements_, run_, wideFlows, moments, memoryBytes_,
                     kMaxTableEntries, shares_);
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  std::vector<Moment>& moments_;
  const FlowShares* shares_;
  CostRange range_;
  const SearchRun& run_;
  Proof proof_;
};

/// Replaces costs that are infinite in `fine`, as too far, by those in
/// `coarse`.
void keepFarCosts(const std::vector<std::vector<Cost>>& coarse,
                  std::vector<std::vector<Cost>>& fine) {
  for (auto [of, coarseOf] : llvm::zip(fine, coarse))
    for (auto [cost, coarseCost] : llvm::zip(of, coarseOf))
      if (cost == kInfiniteCost) cost = coarseCost;
}

}  // namespace

std::optional<CheapestPlan> searchTables(
    const DecisionGraph& graph, double memoryBytes, Movements& movements,
    std::vector<Moment>& moments, const FlowShares* shares, CostRange range,
    const SearchRun& run, Proof proof) {
  return Search(graph, memoryBytes, movements, moments, shares, range, run,
                proof)
      .run();
}

std::optional<LeastCostsOfGraph> leastCostsOf(
    const DecisionGraph& graph, Movements& movements, double maxEntries,
    const FlowShares* shares, Cost ceiling, const SearchRun& run) {
  if (numPrices(graph, maxEntries) > kMaxPrices) return std::nullopt;
  bool isExact = false;
  std::optional<LeastCosts> least;
  for (bool areTicksFine = false; !areTicksFine;) {
    auto made = problemOf(graph, movements, run, WideFlows::Below, {}, 0,
                          maxEntries, shares);
    if (!made) return std::nullopt;
    PricedProblem& priced = *made;
    if (least) {
      Cost far = kFar * priced.problem.cost(least->cheapest.assignment);
      if (!(far < ceiling / 2)) break;
      ceiling = far;
    }
    priced.problem.forbidAbove(ceiling);
    Cost rounding = priced.problem.roundToTicks();
    EliminationLimits limits;
    limits.run = run;
    auto found = leastCosts(priced.problem, limits);
    if (!found) return std::nullopt;
    areTicksFine = rounding <= kRounding * found->cheapest.cost;
    if (least) keepFarCosts(least->with, found->with);
    least = std::move(found);
    isExact = priced.isExact;
  }
  // Variables after the decisions belong to Pricing.h.
  least->with.resize(graph.decisions.size());
  least->cheapest.assignment.resize(graph.decisions.size());
  return LeastCostsOfGraph{std::move(*least), isExact};
}

std::optional<LeastCostsWithin> leastCostsWithin(
    const DecisionGraph& graph, double memoryBytes,
    llvm::ArrayRef<Moment> moments, Movements& movements, double maxEntries,
    const FlowShares* shares, Cost ceiling,
    const std::vector<Assignment>& known, const SearchRun& run) {
  if (numPrices(graph, maxEntries) > kMaxPrices) return std::nullopt;
  auto made = problemOf(graph, movements, run, WideFlows::Below, moments,
                        memoryBytes, maxEntries, shares);
  if (!made) return std::nullopt;
  PricedProblem& priced = *made;
  priced.problem.forbidAbove(ceiling);
  priced.problem.roundToTicks();
  std::vector<Assignment> knownInAll;
  for (const Assignment& assignment : known)
    knownInAll.push_back(priced.ofAllVariables(assignment));
  EliminationLimits limits;
  limits.run = run;
  auto least = leastCostsWithin(priced.problem, std::move(priced.memory),
                                knownInAll, limits);
  if (!least) return std::nullopt;
  least->with.resize(graph.decisions.size());
  least->cheapest.resize(graph.decisions.size());
  for (Assignment& assignment : least->near)
    assignment.resize(graph.decisions.size());
  return least;
}

}  // namespace sbp::search
