#include "passes/search/program/NamelessSearch.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/AxisDescent.h"
#include "passes/search/program/FlowLinks.h"
#include "passes/search/program/FlowShares.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/Orbits.h"
#include "passes/search/program/Pricing.h"
#include "passes/search/program/Restriction.h"
#include "passes/search/program/Tables.h"
#include "passes/search/solvers/Messages.h"

namespace sbp::search {
namespace {

/// Costs that differ by less are equal: they are sums in another order.
constexpr double kRounding = 1e-9;

/// How far above the first bound plans are searched at first; then twice as
/// far, and so on, or in wider steps as long as they are likely to be farther;
/// and at last however far.
constexpr double kFirstSlack = 1e-4, kLastSlack = 2;
constexpr double kStep = 2, kWideStep = 8;

/// Which part of the time the exact search may take. The rest is for the
/// descent by pairs of axes, which begins with a plan and makes it better.
constexpr double kExactShare = 0.7;

/// A plan this far from the bound may not be a good one.
constexpr double kFar = 5e-3;

/// How many entries tables may have: few at first, then, with what is left,
/// more.
constexpr double kMaxEntries[] = {3e4, 3e6};

/// How many prices are asked for to search some names within memory; there are
/// several such searches.
constexpr double kMaxPricesWithin = 3e6;

/// How many prices between two decisions with names are asked for at most,
/// those of flows that are alike once; that takes a few seconds.
constexpr double kMaxNamedPrices = 1.2e7;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Sweeps of messages end when that many of them raise the bound by less than
/// this part of it, and at last after so many.
constexpr int kSweepsAtATime = 10, kMaxSweeps = 200;
constexpr double kLittle = 1e-4;

/// Per decision and state, or orbit, what every plan costs at least that has
/// it.
using Floors = std::vector<std::vector<Cost>>;

/// Per decision, which states or orbits are searched.
using Choices = std::vector<std::vector<bool>>;

Choices below(const Floors& floors, Cost reach) {
  Choices choices;
  for (const std::vector<Cost>& of : floors) {
    std::vector<bool>& isBelow = choices.emplace_back();
    for (Cost floor : of) isBelow.push_back(floor < reach * (1 - kRounding));
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

/// Raises `floors` to what plans of `choices` cost at least, of which `least`
/// knows it; other plans cost at least `reach`. Whether that leaves out many.
bool raise(Floors& floors, const Choices& choices,
           const std::vector<std::vector<Cost>>& least, Cost reach) {
  size_t before = 0, after = 0;
  for (auto [of, isChoice, costs] : llvm::zip(floors, choices, least)) {
    size_t number = 0;  // among the choices
    for (size_t choice = 0; choice < of.size(); ++choice) {
      if (!isChoice[choice]) continue;
      of[choice] = std::max(of[choice], std::min(costs[number++], reach));
      ++before;
      after += of[choice] < reach * (1 - kRounding);
    }
  }
  return after < 0.9 * before;
}

/// What is searched, orbits or names, with all that is known of it.
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
  /// Plans near the last bound within limits.
  std::vector<Assignment> near;
};

void sweepUntilSteady(Messages& messages, const SearchRun& run) {
  double before = 0;
  for (int sweep = 1; sweep <= kMaxSweeps; ++sweep) {
    messages.sweep();
    if (run.isOver()) return;
    if (sweep % kSweepsAtATime != 0) continue;
    if (messages.bound() <= before * (1 + kLittle)) return;
    before = messages.bound();
  }
}

class NamelessSearch {
 public:
  NamelessSearch(const DecisionGraph& graph, double memoryBytes,
                 Movements& movements, std::optional<CheapestPlan> known,
                 std::vector<Moment> moments, const SearchRun& run)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        whole_(run),
        run_(run.part(kExactShare)),
        orbits_(graph, AlikeAxes(graph.mesh)),
        boundMovements_(orbits_.graph().placements,
                        movements.transitions().bounds()),
        ofOrbits_(orbits_.graph(), boundMovements_),
        ofNames_(graph, movements),
        moments_(std::move(moments)) {
    if (!known) return;
    isWholeSearched_ = true;
    raiseBound(known->solution.lowerBound);
    offer(std::move(*known));
  }

  CheapestPlan run() {
    if (!isWholeSearched_) {
      // However long the search takes, there is a plan.
      run_.beginPhase("a first plan, axes of a level tied");
      offer(searchTiedLevels(graph_, memoryBytes_, movements_, moments_, run_));
    }
    run_.beginPhase("a bound, by messages");
    raiseByMessages(ofOrbits_, kInfiniteCost, kUnlimited);
    // What is within the limit may be far above a bound that does not know it.
    if (!moments_.empty()) descend();
    const Cost first = bound_;
    double slack = kFirstSlack;
    while (!run_.isOver()) {
      Cost reach = slack < kLastSlack ? std::min(first * (1 + slack),
                                                 likely_ * (1 + kFirstSlack))
                                      : kInfiniteCost;
      bool isLast = reach == kInfiniteCost;
      if (hasPlan() && best_->solution.cost <= reach) {
        reach = best_->solution.cost;
        isLast = true;
      }
      if (reach > bound_ || isLast) {
        if (!searchBelow(reach) || isLast || isProven()) break;
      }
      bool isFar =
          likely_ < kInfiniteCost && likely_ > first * (1 + kWideStep * slack);
      slack *= isFar ? kWideStep : kStep;
    }
    descend();
    return answer();
  }

 private:
  /// Makes the best plan better, two axes at a time, if it is not a good one.
  void descend() {
    // Of two axes, both at a time are the whole.
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
    return !hasPlan() || best_->solution.cost > (1 + kFar) * bound_;
  }

  void raiseBound(Cost bound) {
    bound_ = std::max(bound_, bound);
    if (bound_ < kInfiniteCost) run_.provedBound(bound_);
  }

  void offer(CheapestPlan plan) {
    // It is a bound for those only that were searched.
    plan.leastBytes = 0;
    if (!best_ || isBetter(plan, *best_)) best_ = std::move(plan);
    if (hasPlan()) run_.foundPlan(best_->solution.cost);
  }

  /// Raises floors by messages, which need no tables. They are soon known, and
  /// too low; tables may go on from the shares. False if more than `maxPrices`
  /// would be asked for.
  bool raiseByMessages(Space& space, Cost reach, double maxPrices) {
    Choices choices = below(space.floors, reach);
    if (isAnyEmpty(choices)) return true;
    Restriction left = onlyOf(space.graph, choices);
    auto links = linksOf(left.graph(), space.movements, maxPrices, run_);
    if (!links) return false;
    Messages messages(links->problem);
    sweepUntilSteady(messages, run_);
    raiseBound(std::min(reach, messages.bound()));
    if (messages.bound() >= reach) likely_ = messages.bound();
    std::vector<std::vector<Cost>> least;
    for (size_t decision = 0; decision < space.floors.size(); ++decision)
      least.push_back(messages.with(decision));
    raise(space.floors, choices, least, reach);
    messages.settle();
    space.shares = sharesOf(*links, messages, space.graph.flows.size());
    return true;
  }

  /// Searches all plans that cost less than `reach`. False when that would take
  /// too much.
  bool searchBelow(Cost reach) {
    likely_ = kInfiniteCost;
    run_.beginPhase("tables, axes without names");
    if (raiseByTables(ofOrbits_, reach)) return true;
    if (run_.isOver()) return false;
    run_.beginPhase("tables, axes with names");
    for (auto [decision, floors] : llvm::enumerate(ofNames_.floors))
      for (auto [state, floor] : llvm::enumerate(floors))
        floor = std::max(
            floor,
            ofOrbits_.floors[decision][orbits_.orbitOf(decision, state)]);
    if (!raiseByMessages(ofNames_, reach, kMaxNamedPrices)) return false;
    return raiseByTables(ofNames_, reach) || searchNamesBelow(reach);
  }

  /// Raises floors by tables, small ones and then larger ones. Whether no plan
  /// costs less than `reach`.
  bool raiseByTables(Space& space, Cost reach) {
    for (double maxEntries : kMaxEntries) {
      bool hasRaised = true;
      while (hasRaised) {
        Choices choices = below(space.floors, reach);
        if (isAnyEmpty(choices)) {
          raiseBound(reach);
          return true;
        }
        if (run_.isOver()) return false;
        Restriction left = onlyOf(space.graph, choices);
        std::optional<Least> least = leastOf(space, left, maxEntries, reach);
        if (!least) return false;
        raiseBound(std::min(reach, least->bound));
        if (least->bound >= reach) {
          if (reach == kInfiniteCost) offerNothing(*least);
          likely_ = least->bound;
          return true;
        }
        hasRaised = raise(space.floors, choices, least->with, reach);
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

  /// What plans cost at least, as tables know it.
  struct Least {
    Cost bound = 0;  // infinite if there is no plan, or none fits
    std::vector<std::vector<Cost>> with;
    Assignment cheapest;
    /// If none fits: by which part of the limit, at least.
    double excess = 0;
  };

  /// Of plans below `reach` that fit, once one did not. Nothing when that would
  /// take too much.
  std::optional<Least> leastOf(Space& space, const Restriction& left,
                               double maxEntries, Cost reach) {
    if (moments_.empty()) {
      auto least = leastCostsOf(left.graph(), space.movements, maxEntries,
                                &space.shares, reach, run_);
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
                         maxEntries, &space.shares, reach, known, run_);
    if (!least) return std::nullopt;
    if (!least->near.empty()) space.near.clear();
    for (const Assignment& assignment : least->near)
      space.near.push_back(left.inWhole(assignment));
    return Least{least->excess > 0 ? kInfiniteCost : least->lowerBound,
                 std::move(least->with), std::move(least->cheapest),
                 least->excess};
  }

  /// Of all plans, none fits; or all move a tensor that must not be moved.
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

  /// Searches all names that may be in a plan that costs less than `reach`.
  /// False when that would take too much.
  bool searchNamesBelow(Cost reach) {
    Restriction restriction = onlyOf(graph_, below(ofNames_.floors, reach));
    double maxPrices = moments_.empty() ? kMaxPrices : kMaxPricesWithin;
    if (numPrices(restriction.graph()) > maxPrices) return false;
    auto plan = searchTables(restriction.graph(), memoryBytes_, movements_,
                             moments_, &ofNames_.shares, {bound_, reach}, run_);
    if (!plan) return false;
    plan->solution.assignment = restriction.inWhole(plan->solution.assignment);
    bool isOpen = false;
    if (plan->leastBytes > 0) {
      raiseBound(reach);
      if (reach == kInfiniteCost) leastBytes_ = plan->leastBytes;
    } else {
      Cost bound = std::min(reach, plan->solution.lowerBound);
      raiseBound(bound);
      isOpen = bound < reach && !search::isProven(*plan);
    }
    // Without any below the reach there is no plan, only a bound.
    if (reach == kInfiniteCost || plan->solution.cost < kInfiniteCost)
      offer(std::move(*plan));
    // What is open up to here is open farther out; plans there were looked for.
    return !isOpen || !isWholeSearched_;
  }

  /// The best plan, with what is known of all plans.
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
  SearchRun whole_, run_;  // run_: the exact part of it
  Orbits orbits_;
  Movements boundMovements_;

  Space ofOrbits_, ofNames_;
  /// Whether the graph as a whole was searched before.
  bool isWholeSearched_ = false;
  std::optional<CheapestPlan> best_;
  Cost bound_ = 0;
  /// What the plan costs that no two axes make better.
  Cost descended_ = kInfiniteCost;
  /// If no plan was below the last reach: what one costs at least, or nearly.
  Cost likely_ = kInfiniteCost;
  double leastBytes_ = 0;
  /// At which plans took too much memory.
  std::vector<Moment> moments_;
};

}  // namespace

CheapestPlan searchWithoutNames(const DecisionGraph& graph, double memoryBytes,
                                Movements& movements,
                                std::optional<CheapestPlan> known,
                                std::vector<Moment> moments,
                                const SearchRun& run) {
  return NamelessSearch(graph, memoryBytes, movements, std::move(known),
                        std::move(moments), run)
      .run();
}

}  // namespace sbp::search
