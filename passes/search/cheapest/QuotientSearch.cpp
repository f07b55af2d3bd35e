#include "passes/search/cheapest/QuotientSearch.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/boxing/AlikeAxes.h"
#include "passes/search/cheapest/AxisDescent.h"
#include "passes/search/cheapest/FlowFactors.h"
#include "passes/search/cheapest/QuotientTuning.h"
#include "passes/search/cheapest/Tables.h"
#include "passes/search/decisions/FlowShares.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/solvers/Messages.h"
#include "passes/search/symmetry/Orbits.h"

namespace sbp::search {
namespace {

/// Relative difference below which costs are equal, because sums are in another
/// order.
constexpr double kRounding = 1e-9;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Per decision and state, or orbit: a lower bound of the cost of every plan
/// with it.
using Floors = std::vector<std::vector<Cost>>;

/// Per decision, the states or orbits that are searched.
using Choices = std::vector<std::vector<bool>>;

Choices below(const Floors& floors, Cost threshold) {
  Choices choices;
  for (const std::vector<Cost>& of : floors) {
    std::vector<bool>& isBelow = choices.emplace_back();
    for (Cost floor : of)
      isBelow.push_back(floor < threshold * (1 - kRounding));
  }
  return choices;
}

bool isAnyEmpty(const Choices& choices) {
  return llvm::any_of(choices, [](const std::vector<bool>& of) {
    return !llvm::is_contained(of, true);
  });
}

Restriction onlyOf(const DecisionGraph& graph, const Choices& choices) {
  return Restriction(graph, [&](size_t decision, State choice) -> bool {
    return choices[decision][choice];
  });
}

/// Raises `floors` by `least`, the bounds of plans of `choices` only; all other
/// plans cost at least `threshold`. Returns whether many choices are no longer
/// below `threshold`.
bool raise(Floors& floors, const Choices& choices,
           const std::vector<std::vector<Cost>>& least, Cost threshold) {
  size_t before = 0, after = 0;
  for (auto [of, isChoice, costs] : llvm::zip(floors, choices, least)) {
    size_t number = 0;  // index among the choices
    for (size_t choice = 0; choice < of.size(); ++choice) {
      if (!isChoice[choice]) continue;
      of[choice] = std::max(of[choice], std::min(costs[number++], threshold));
      ++before;
      after += of[choice] < threshold * (1 - kRounding);
    }
  }
  return after < 0.9 * before;
}

/// A graph that is searched, of orbits or of named states, with all that is
/// known about it.
struct Space {
  Space(const DecisionGraph& graph, Movements& movements)
      : graph(graph), movements(movements) {
    for (const Decision& decision : graph.decisions)
      floors.emplace_back(decision.states.size(), 0);
  }

  const DecisionGraph& graph;
  Movements& movements;
  Floors floors;
  FlowShares shares;
  /// Plans near the last bound within memory limits.
  std::vector<Assignment> near;
};

void sweepUntilSteady(Messages& messages, const SearchRun& run) {
  double before = 0;
  for (int sweep = 1; sweep <= kQuotient.maxSweeps; ++sweep) {
    messages.sweep();
    if (run.isOver()) return;
    if (sweep % kQuotient.sweepsAtATime != 0) continue;
    if (messages.bound() <= before * (1 + kQuotient.little)) return;
    before = messages.bound();
  }
}

class QuotientSearch {
 public:
  QuotientSearch(const DecisionGraph& graph, double memoryBytes,
                 Movements& movements, std::optional<CheapestPlan> known,
                 std::vector<Moment> moments, const SearchRun& run)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        whole_(run),
        run_(run.part(kQuotient.exactShare)),
        orbits_(graph, AlikeAxes(graph.mesh)),
        boundMovements_(orbits_.graph().placements,
                        movements.transitions().bounds()),
        ofOrbits_(orbits_.graph(), boundMovements_),
        ofStates_(graph, movements),
        moments_(std::move(moments)) {
    if (!known) return;
    isWholeSearched_ = true;
    raiseBound(known->solution.lowerBound);
    offer(std::move(*known));
  }

  CheapestPlan run() {
    if (!isWholeSearched_) {
      // There must be a plan however long the search takes.
      run_.beginPhase("a first plan, axes of a level tied");
      offer(searchTiedLevels(graph_, memoryBytes_, movements_, moments_, run_));
    }
    run_.beginPhase("a bound, by messages");
    raiseByMessages(ofOrbits_, kInfiniteCost, kUnlimited);
    // A plan within the memory limit may be far above a bound without the
    // limit.
    if (!moments_.empty()) descend();
    const Cost first = bound_;
    double slack = kQuotient.firstSlack;
    while (!run_.isOver()) {
      Cost threshold = slack < kQuotient.lastSlack
                           ? std::min(first * (1 + slack),
                                      likely_ * (1 + kQuotient.firstSlack))
                           : kInfiniteCost;
      bool isLast = threshold == kInfiniteCost;
      if (hasPlan() && best_->solution.cost <= threshold) {
        threshold = best_->solution.cost;
        isLast = true;
      }
      if (threshold > bound_ || isLast) {
        if (!searchBelow(threshold) || isLast || isProven()) break;
      }
      bool isFar = likely_ < kInfiniteCost &&
                   likely_ > first * (1 + kQuotient.wideStep * slack);
      slack *= isFar ? kQuotient.wideStep : kQuotient.step;
    }
    descend();
    return answer();
  }

 private:
  /// Improves the best plan, two axes at a time, if it may be a bad one.
  void descend() {
    // On a mesh of two axes, a pair of axes is the whole search.
    bool isDescentNew = !isWholeSearched_ || graph_.mesh.axes.size() > 2;
    if (isProven() || !isFarFromBound() || !isDescentNew || !best_) return;
    if (best_->solution.cost == descended_) return;
    whole_.beginPhase("two axes at a time");
    offer(descendByAxes(graph_, memoryBytes_, movements_, moments_, *best_,
                        whole_));
    descended_ = best_->solution.cost;
  }

  bool hasPlan() const { return best_ && best_->fits; }

  bool isFarFromBound() const {
    return !hasPlan() || best_->solution.cost > (1 + kQuotient.far) * bound_;
  }

  void raiseBound(Cost bound) {
    bound_ = std::max(bound_, bound);
    if (bound_ < kInfiniteCost) run_.provedBound(bound_);
  }

  void offer(CheapestPlan plan) {
    // The bound holds only for the part of the plans that was searched.
    plan.leastBytes = 0;
    if (!best_ || isBetter(plan, *best_)) best_ = std::move(plan);
    if (hasPlan()) run_.foundPlan(best_->solution.cost);
  }

  /// Raises floors by messages. They need no tables and are fast, but their
  /// bounds are lower; tables start from the shares that they leave. Returns
  /// false if more than `maxPrices` prices would be needed.
  bool raiseByMessages(Space& space, Cost threshold, double maxPrices) {
    Choices choices = below(space.floors, threshold);
    if (isAnyEmpty(choices)) return true;
    Restriction left = onlyOf(space.graph, choices);
    auto factors = factorsOf(left.graph(), space.movements, maxPrices, run_);
    if (!factors) return false;
    Messages messages(factors->problem);
    sweepUntilSteady(messages, run_);
    raiseBound(std::min(threshold, messages.bound()));
    if (messages.bound() >= threshold) likely_ = messages.bound();
    std::vector<std::vector<Cost>> least;
    for (size_t decision = 0; decision < space.floors.size(); ++decision)
      least.push_back(messages.with(decision));
    raise(space.floors, choices, least, threshold);
    messages.collect();
    space.shares = sharesOf(*factors, messages, space.graph.flows.size());
    return true;
  }

  /// Searches all plans that cost less than `threshold`. Returns false if this
  /// would take too much.
  bool searchBelow(Cost threshold) {
    likely_ = kInfiniteCost;
    run_.beginPhase("tables, axes without names");
    if (raiseByTables(ofOrbits_, threshold)) return true;
    if (run_.isOver()) return false;
    run_.beginPhase("tables, axes with names");
    for (auto [decision, floors] : llvm::enumerate(ofStates_.floors))
      for (auto [state, floor] : llvm::enumerate(floors))
        floor = std::max(
            floor,
            ofOrbits_.floors[decision][orbits_.orbitOf(decision, state)]);
    if (!raiseByMessages(ofStates_, threshold, kQuotient.maxStatePrices))
      return false;
    return raiseByTables(ofStates_, threshold) || searchStatesBelow(threshold);
  }

  /// Raises floors by tables, small ones and then larger ones. Returns whether
  /// no plan costs less than `threshold`.
  bool raiseByTables(Space& space, Cost threshold) {
    for (double maxEntries : kQuotientEntries) {
      bool hasRaised = true;
      while (hasRaised) {
        Choices choices = below(space.floors, threshold);
        if (isAnyEmpty(choices)) {
          raiseBound(threshold);
          return true;
        }
        if (run_.isOver()) return false;
        Restriction left = onlyOf(space.graph, choices);
        std::optional<Least> least =
            leastOf(space, left, maxEntries, threshold);
        if (!least) return false;
        raiseBound(std::min(threshold, least->bound));
        if (least->bound >= threshold) {
          if (threshold == kInfiniteCost) offerNothing(*least);
          likely_ = least->bound;
          return true;
        }
        hasRaised = raise(space.floors, choices, least->with, threshold);
        if (!moments_.empty()) {
          Moment moment =
              peakMemory(left.graph(), least->cheapest, space.movements).moment;
          if (!llvm::is_contained(moments_, moment)) {
            moments_.push_back(std::move(moment));
            hasRaised = true;
          }
        }
      }
    }
    return false;
  }

  /// Lower bounds of the costs of plans, by tables.
  struct Least {
    Cost bound = 0;  // infinite if there is no plan, or none fits
    std::vector<std::vector<Cost>> with;
    Assignment cheapest;
    /// Proven excess over the limit if no plan fits, as a fraction of the
    /// limit.
    double excess = 0;
  };

  /// Returns the bounds for plans below `threshold`, within the limit at all
  /// moments where it was broken. Returns nullopt if this would take too much.
  std::optional<Least> leastOf(Space& space, const Restriction& left,
                               double maxEntries, Cost threshold) {
    if (moments_.empty()) {
      auto least = leastCostsOf(left.graph(), space.movements, maxEntries,
                                &space.shares, threshold, run_);
      if (!least) return std::nullopt;
      return Least{least->cheapest.cost, std::move(least->with),
                   std::move(least->cheapest.assignment)};
    }
    std::vector<Assignment> known;
    for (const Assignment& assignment : space.near)
      if (auto part = left.inPart(assignment))
        known.push_back(std::move(*part));
    auto least =
        leastCostsWithin(left.graph(), memoryBytes_, moments_, space.movements,
                         maxEntries, &space.shares, threshold, known, run_);
    if (!least) return std::nullopt;
    if (!least->near.empty()) space.near.clear();
    for (const Assignment& assignment : least->near)
      space.near.push_back(left.inWhole(assignment));
    return Least{least->excess > 0 ? kInfiniteCost : least->lowerBound,
                 std::move(least->with), std::move(least->cheapest),
                 least->excess};
  }

  /// Sets the result if no plan fits, or if every plan has an infinite cost.
  void offerNothing(const Least& least) {
    if (least.excess > 0) {
      leastBytes_ = graph_.otherBytes() +
                    (1 + least.excess) * ownLimit(graph_, memoryBytes_);
      return;
    }
    CheapestPlan plan;
    plan.solution.assignment.assign(graph_.decisions.size(), 0);
    best_ = std::move(plan);
  }

  /// Searches all named states that may be in a plan that costs less than
  /// `threshold`. Returns false if this would take too much.
  bool searchStatesBelow(Cost threshold) {
    Restriction restriction =
        onlyOf(graph_, below(ofStates_.floors, threshold));
    double maxPrices =
        moments_.empty() ? kMaxPrices : kQuotient.maxPricesWithin;
    if (numPrices(restriction.graph()) > maxPrices) return false;
    auto plan =
        searchTables(restriction.graph(), memoryBytes_, movements_, moments_,
                     &ofStates_.shares, {bound_, threshold}, run_);
    if (!plan) return false;
    plan->solution.assignment = restriction.inWhole(plan->solution.assignment);
    bool isOpen = false;
    if (plan->leastBytes > 0) {
      raiseBound(threshold);
      if (threshold == kInfiniteCost) leastBytes_ = plan->leastBytes;
    } else {
      Cost bound = std::min(threshold, plan->solution.lowerBound);
      raiseBound(bound);
      isOpen = bound < threshold && !search::isProven(*plan);
    }
    // If no plan is below a finite threshold, there is only a bound.
    if (threshold == kInfiniteCost || plan->solution.cost < kInfiniteCost)
      offer(std::move(*plan));
    // A graph that was searched as a whole stays unproven with a higher
    // threshold, so the search ends.
    return !isOpen || !isWholeSearched_;
  }

  /// Returns the best plan, with the bounds of all plans.
  CheapestPlan withBounds() const {
    CheapestPlan plan = *best_;
    plan.leastBytes = leastBytes_;
    plan.solution.lowerBound = std::min(bound_, plan.solution.cost);
    return plan;
  }

  bool isProven() const { return best_ && search::isProven(withBounds()); }

  CheapestPlan answer() const {
    CheapestPlan plan = withBounds();
    if (search::isProven(plan)) plan.solution.lowerBound = plan.solution.cost;
    return plan;
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  SearchRun whole_, run_;  // run_: the exact part of whole_
  Orbits orbits_;
  Movements boundMovements_;

  Space ofOrbits_, ofStates_;
  /// Whether the whole graph was searched before.
  bool isWholeSearched_ = false;
  std::optional<CheapestPlan> best_;
  Cost bound_ = 0;
  /// Cost of the plan that no pair of axes improves.
  Cost descended_ = kInfiniteCost;
  /// Lower bound, perhaps approximate, of the cost of every plan, if no plan
  /// was below the last threshold.
  Cost likely_ = kInfiniteCost;
  double leastBytes_ = 0;
  /// Moments at which plans took too much memory.
  std::vector<Moment> moments_;
};

}  // namespace

CheapestPlan searchQuotient(const DecisionGraph& graph, double memoryBytes,
                            Movements& movements,
                            std::optional<CheapestPlan> known,
                            std::vector<Moment> moments, const SearchRun& run) {
  return QuotientSearch(graph, memoryBytes, movements, std::move(known),
                        std::move(moments), run)
      .run();
}

}  // namespace sbp::search
