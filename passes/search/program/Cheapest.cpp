#include "passes/search/program/Cheapest.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/search/program/Pricing.h"
#include "passes/search/program/Restriction.h"
#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/WithinLimits.h"

namespace sbp::search {
namespace {

constexpr double kMaxPrices = 1e7;

/// The exact search, as far as elimination goes.
class Search {
 public:
  Search(const DecisionGraph& graph, double memoryBytes, Movements& movements)
      : graph_(graph), memoryBytes_(memoryBytes), movements_(movements) {}

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
    PricedProblem priced =
        problemOf(graph_, movements_, wideFlows, moments_, memoryBytes_);
    isExact = priced.isExact;
    priced.problem.roundToTicks();
    std::vector<Assignment> seen;
    return solveWithinLimits(priced.problem, priced.memory, seen,
                             EliminationLimits(), maxLabels_);
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  std::vector<Moment> moments_;
  double maxLabels_ = kMaxLabels;
};

/// Whether `a` is to be had rather than `b`.
bool isBetter(const CheapestPlan& a, const CheapestPlan& b) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return a.memory.bytes < b.memory.bytes;
  return a.solution.cost < b.solution.cost;
}

/// The search of some axes at a time.
class AxisDescent {
 public:
  AxisDescent(const DecisionGraph& graph, double memoryBytes,
              Movements& movements)
      : graph_(graph), memoryBytes_(memoryBytes), movements_(movements) {
    for (auto [axis, description] : llvm::enumerate(graph.mesh.axes))
      if (description.size > 1) axes_.push_back(axis);
  }

  CheapestPlan run() {
    // Every decision has a first state: nothing is split but inputs.
    best_ = priced(Assignment(graph_.decisions.size(), 0));
    tieLevels();
    bool hasImproved = true;
    while (hasImproved) {
      hasImproved = false;
      // The last axes are those with the fastest links.
      for (size_t j = axes_.size(); j-- > 0;)
        for (size_t i = j; i-- > 0;)
          hasImproved |= improve({axes_[i], axes_[j]});
    }
    best_.solution.lowerBound = 0;
    best_.leastBytes = 0;
    return best_;
  }

 private:
  CheapestPlan priced(Assignment assignment) {
    CheapestPlan plan;
    plan.solution.cost = 0;
    for (auto [decision, state] : llvm::zip(graph_.decisions, assignment))
      plan.solution.cost += decision.states[state].seconds;
    plan.solution.cost += communicatingSeconds(graph_, assignment, movements_);
    plan.memory = peakMemory(graph_, assignment, movements_);
    plan.fits = plan.memory.bytes <= memoryBytes_;
    plan.solution.assignment = std::move(assignment);
    return plan;
  }

  /// Whether the state lays all tensors as the plan does on all axes but
  /// `free`.
  bool agrees(size_t decision, State state,
              llvm::ArrayRef<int64_t> free) const {
    const std::vector<Decision::State>& states =
        graph_.decisions[decision].states;
    State planned = best_.solution.assignment[decision];
    for (auto [a, b] :
         llvm::zip(states[state].placements, states[planned].placements)) {
      if (a == b) continue;
      for (int64_t axis : axes_)
        if (!llvm::is_contained(free, axis) &&
            graph_.placements[a][axis] != graph_.placements[b][axis])
          return false;
    }
    return true;
  }

  /// Whether the state lays all tensors alike on all axes of a level.
  bool hasLikeAxes(const Decision::State& state) const {
    for (PlacementTable::Number number : state.placements)
      for (size_t i = 1; i < axes_.size(); ++i)
        if (graph_.mesh.axes[axes_[i]].level ==
                graph_.mesh.axes[axes_[i - 1]].level &&
            graph_.placements[number][axes_[i]] !=
                graph_.placements[number][axes_[i - 1]])
          return false;
    return true;
  }

  /// Searches plans in which the axes of a level do the same, but for decisions
  /// that have no such state.
  void tieLevels() {
    std::vector<bool> mayBeTied;
    for (const Decision& decision : graph_.decisions)
      mayBeTied.push_back(llvm::any_of(
          decision.states,
          [&](const Decision::State& state) { return hasLikeAxes(state); }));
    tryRestriction([&](size_t decision, State state) {
      return !mayBeTied[decision] ||
             hasLikeAxes(graph_.decisions[decision].states[state]);
    });
  }

  /// Searches what the axes `free` do; whether that gives a better plan.
  bool improve(llvm::ArrayRef<int64_t> free) {
    std::optional<bool> isBetter =
        tryRestriction([&](size_t decision, State state) {
          return agrees(decision, state, free);
        });
    if (isBetter || free.size() == 1) return isBetter.value_or(false);
    bool first = improve(free.take_front(1));
    bool second = improve(free.take_back(1));
    return first || second;
  }

  /// Searches the states that `keeps`; whether that gives a better plan.
  /// Nothing when elimination would take too much.
  std::optional<bool> tryRestriction(
      llvm::function_ref<bool(size_t decision, State state)> keeps) {
    Restriction restriction(graph_, keeps);
    auto found = Search(restriction.graph(), memoryBytes_, movements_).run();
    if (!found) return std::nullopt;
    CheapestPlan plan = priced(restriction.inWhole(found->solution.assignment));
    // What is better by rounding would never end.
    bool isMuchCheaper = plan.solution.cost < best_.solution.cost * (1 - 1e-9);
    if (!isBetter(plan, best_) || (plan.fits && best_.fits && !isMuchCheaper))
      return false;
    best_ = std::move(plan);
    return true;
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  std::vector<int64_t> axes_;
  CheapestPlan best_;
};

}  // namespace

std::optional<std::vector<std::vector<double>>> leastSecondsWith(
    const DecisionGraph& graph, Movements& movements) {
  if (numPrices(graph) > kMaxPrices) return std::nullopt;
  PricedProblem priced = problemOf(graph, movements, WideFlows::Below);
  priced.problem.roundToTicks();
  auto least = leastCosts(priced.problem);
  if (least) least->resize(graph.decisions.size());
  return least;
}

CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements) {
  if (auto plan = Search(graph, memoryBytes, movements).run()) return *plan;
  return AxisDescent(graph, memoryBytes, movements).run();
}

}  // namespace sbp::search
