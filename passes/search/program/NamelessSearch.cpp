#include "passes/search/program/NamelessSearch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/AxisDescent.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/Orbits.h"
#include "passes/search/program/Pricing.h"
#include "passes/search/program/Restriction.h"
#include "passes/search/program/Tables.h"
#include "passes/search/program/TiedLevels.h"

namespace sbp::search {
namespace {

/// Costs that differ by less are equal: they are sums in another order.
constexpr double kRounding = 1e-9;

/// How many entries tables may have: few at first, then, with what is left,
/// more.
constexpr double kMaxEntries[] = {3e4, 3e6};

/// A plan this far from the bound may not be a good one.
constexpr double kFar = 5e-3;

/// How many prices are asked for to search some names within memory; there are
/// several such searches.
constexpr double kMaxPricesWithin = 3e6;

/// Per decision and state, or orbit, whether a plan may have it that is better
/// than the best one that is known.
using Choices = std::vector<std::vector<bool>>;

class NamelessSearch {
 public:
  NamelessSearch(const DecisionGraph& graph, double memoryBytes,
                 Movements& movements)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        orbits_(graph, AlikeAxes(graph.mesh)),
        boundMovements_(orbits_.graph().placements,
                        movements.transitions().bounds()) {
    for (const Decision& decision : orbits_.graph().decisions)
      isLeft_.emplace_back(decision.states.size(), true);
  }

  std::optional<CheapestPlan> run() {
    for (double maxEntries : kMaxEntries) {
      if (narrowByCosts(orbits_.graph(), boundMovements_, isLeft_, maxEntries,
                        [&](const Assignment& orbits) {
                          offerNamesOf(orbits);
                          if (!hasPlan()) offerTied();
                        }))
        return best_;
      if (isMemoryTight_ && narrowWithinMemory(maxEntries)) return best_;
      if (!best_) return std::nullopt;
      if (!hasDescended_ && isFarFromBound()) offerDescended();
    }
    searchNamesLeft();
    isProven();
    return best_;
  }

 private:
  static Restriction onlyOf(const DecisionGraph& graph,
                            const Choices& choices) {
    return Restriction(graph, [&](size_t decision, State choice) -> bool {
      return choices[decision][choice];
    });
  }

  /// Leaves out those of the states `choices` of `graph` with which a plan
  /// costs more than the best one, and again by what is left, while that is
  /// many. `offerLike` is given what costs least each time. Whether a plan is
  /// proven then.
  bool narrowByCosts(const DecisionGraph& graph, Movements& movements,
                     Choices& choices, double maxEntries,
                     llvm::function_ref<void(const Assignment&)> offerLike) {
    bool hasNarrowed = true;
    while (hasNarrowed) {
      Restriction left = onlyOf(graph, choices);
      auto least = leastCostsOf(left.graph(), movements, maxEntries);
      if (!least) return false;
      raiseBound(least->cheapest.cost);
      if (least->cheapest.cost == kInfiniteCost) {
        best_ = impossible();
        return isProven();
      }
      offerLike(left.inWhole(least->cheapest.assignment));
      if (isProven()) return true;
      hasNarrowed = narrow(choices, least->with);
    }
    return false;
  }

  /// The answer when a tensor would have to be moved that must not be.
  CheapestPlan impossible() const {
    CheapestPlan plan;
    plan.solution.assignment.assign(graph_.decisions.size(), 0);
    return plan;
  }

  void raiseBound(double bound) { bound_ = std::max(bound_, bound); }

  void offer(CheapestPlan plan) {
    // It is a bound for those only that were searched.
    plan.leastBytes = 0;
    if (!best_ || isBetter(plan, *best_)) best_ = std::move(plan);
  }

  /// Offers the best plan whose orbits are `orbits`.
  void offerNamesOf(const Assignment& orbits) {
    auto named = searchNames([&](size_t decision, State orbit) {
      return orbits[decision] == orbit;
    });
    if (named) offer(std::move(*named));
  }

  bool hasPlan() const { return best_ && best_->fits; }

  void offerTied() {
    isMemoryTight_ = true;
    auto tied = searchTied(graph_, memoryBytes_, movements_, moments_);
    if (tied) offer(std::move(*tied));
  }

  bool isFarFromBound() const {
    return !hasPlan() || best_->solution.cost > (1 + kFar) * bound_;
  }

  void offerDescended() {
    hasDescended_ = true;
    offer(descendByAxes(graph_, memoryBytes_, movements_));
  }

  /// Narrows by what orbits cost at least in plans that fit; whether a plan is
  /// proven then, or that there is none.
  bool narrowWithinMemory(double maxEntries) {
    if (!best_) return false;
    if (moments_.empty()) moments_.push_back(best_->memory.moment);
    while (true) {
      Restriction left = onlyOf(orbits_.graph(), isLeft_);
      auto least = leastCostsWithin(left.graph(), memoryBytes_, moments_,
                                    boundMovements_, maxEntries);
      if (!least) return false;
      if (least->excess > 0) {
        leastBytes_ = graph_.otherBytes() +
                      (1 + least->excess) * ownLimit(graph_, memoryBytes_);
        return isProven();
      }
      raiseBound(least->lowerBound);
      if (isProven()) return true;
      bool hasNarrowed = narrow(isLeft_, least->with);
      Moment moment =
          peakMemory(left.graph(), least->cheapest, boundMovements_).moment;
      if (!llvm::is_contained(moments_, moment))
        moments_.push_back(std::move(moment));
      else if (!hasNarrowed && !offerWithin(*least, left))
        return isProven();
    }
  }

  /// Offers the best plan of the orbits with which a plan may cost little more
  /// than the bound; then of those with twice as much more, until one fits and
  /// no orbit that was left out can be in a better one. Whether a better plan
  /// is found.
  bool offerWithin(const LeastCostsWithin& least, const Restriction& left) {
    double before = hasPlan() ? best_->solution.cost : kInfiniteCost;
    for (double slack = 1e-3; slack < 2; slack *= 2) {
      double reach = least.lowerBound * (1 + slack);
      if (reach <= bound_) continue;
      auto named = searchNames(
          [&](size_t decision, State orbit) {
            auto position = left.positionOf(decision, orbit);
            return position && least.with[decision][*position] <= reach;
          },
          kMaxPricesWithin);
      if (!named) break;
      if (named->fits && named->solution.isOptimal())
        raiseBound(std::min(reach, named->solution.cost));
      if (!named->fits && named->leastBytes > 0) raiseBound(reach);
      offer(std::move(*named));
      if (hasPlan() && best_->solution.cost <= reach) break;
    }
    return hasPlan() && best_->solution.cost < before * (1 - kRounding);
  }

  /// Searches all names of the orbits that are left; states are left out by
  /// what they cost at least, as orbits were.
  void searchNamesLeft() {
    Choices states;
    for (auto [decision, isLeft] : llvm::enumerate(isLeft_)) {
      std::vector<bool>& of = states.emplace_back();
      for (State state = 0; state < numStates(decision); ++state)
        of.push_back(isLeft[orbits_.orbitOf(decision, state)]);
    }
    for (double maxEntries : kMaxEntries)
      if (narrowByCosts(graph_, movements_, states, maxEntries,
                        [&](const Assignment& names) { offerNames(names); }))
        return;
    auto plan = search([&](size_t decision, State state) -> bool {
      return states[decision][state];
    });
    if (!plan) return;
    raiseBound(plan->solution.lowerBound);
    offer(std::move(*plan));
  }

  State numStates(size_t decision) const {
    return static_cast<State>(graph_.decisions[decision].states.size());
  }

  void offerNames(const Assignment& states) {
    auto plan = search([&](size_t decision, State state) {
      return states[decision] == state;
    });
    if (plan) offer(std::move(*plan));
  }

  std::optional<CheapestPlan> searchNames(
      llvm::function_ref<bool(size_t decision, State orbit)> keeps,
      double maxPrices = kMaxPrices) {
    return search(
        [&](size_t decision, State state) {
          return keeps(decision, orbits_.orbitOf(decision, state));
        },
        maxPrices);
  }

  /// The cheapest plan of the states that `keeps`.
  std::optional<CheapestPlan> search(
      llvm::function_ref<bool(size_t decision, State state)> keeps,
      double maxPrices = kMaxPrices) {
    Restriction restriction(graph_, keeps);
    if (numPrices(restriction.graph()) > maxPrices) return std::nullopt;
    auto found =
        searchTables(restriction.graph(), memoryBytes_, movements_, moments_);
    if (!found) return std::nullopt;
    found->solution.assignment =
        restriction.inWhole(found->solution.assignment);
    return found;
  }

  /// Whether the best plan is a cheapest one, or none fits.
  bool isProven() {
    if (!best_) return false;
    best_->leastBytes = leastBytes_;
    if (!best_->fits) return leastBytes_ > 0;
    double& bound = best_->solution.lowerBound;
    bound = bound_;
    if (best_->solution.cost > bound_ * (1 + kRounding)) return false;
    bound = best_->solution.cost;
    return true;
  }

  /// Leaves out what a plan that costs no more than the best one cannot have,
  /// by what each costs at least, of those that are left; whether that is some.
  bool narrow(Choices& choices,
              const std::vector<std::vector<Cost>>& least) const {
    if (!hasPlan()) return false;
    double limit = best_->solution.cost * (1 + kRounding);
    size_t before = 0, after = 0;
    for (auto [isLeft, costs] : llvm::zip(choices, least)) {
      size_t number = 0;  // among those that were left
      for (size_t choice = 0; choice < isLeft.size(); ++choice) {
        if (!isLeft[choice]) continue;
        ++before;
        isLeft[choice] = costs[number++] <= limit;
        after += isLeft[choice];
      }
    }
    return after < 0.9 * before;
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  Orbits orbits_;
  Movements boundMovements_;

  Choices isLeft_;  // of the orbits
  std::optional<CheapestPlan> best_;
  double bound_ = 0;
  double leastBytes_ = 0;
  /// At which plans took too much memory.
  std::vector<Moment> moments_;
  bool isMemoryTight_ = false;
  bool hasDescended_ = false;
};

}  // namespace

std::optional<CheapestPlan> searchWithoutNames(const DecisionGraph& graph,
                                               double memoryBytes,
                                               Movements& movements) {
  return NamelessSearch(graph, memoryBytes, movements).run();
}

}  // namespace sbp::search
