#include "passes/search/program/NamelessSearch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/Orbits.h"
#include "passes/search/program/Restriction.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {
namespace {

/// Costs that differ by less are equal: they are sums in another order.
constexpr double kRounding = 1e-9;

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
    for (double maxEntries : {3e4, 3e6}) {
      bool hasNarrowed = true;
      while (hasNarrowed) {
        Restriction left = orbitsLeft();
        auto least = leastCostsOf(left.graph(), boundMovements_, maxEntries);
        if (!least) break;
        if (least->cheapest.cost == kInfiniteCost) return impossible();
        raiseBound(least->cheapest.cost);
        offerNamesOf(left.inWhole(least->cheapest.assignment));
        if (!best_ || !best_->fits) offerWithinMemory(left);
        if (isProven()) return best_;
        hasNarrowed = narrow(*least);
      }
    }
    if (!best_) return std::nullopt;
    // All names of the orbits that are left.
    auto named = searchNames([&](size_t decision, State orbit) -> bool {
      return isLeft_[decision][orbit];
    });
    if (!named) return best_;
    raiseBound(named->solution.lowerBound);
    offer(std::move(*named));
    isProven();
    return best_;
  }

 private:
  Restriction orbitsLeft() const {
    return Restriction(orbits_.graph(),
                       [&](size_t decision, State orbit) -> bool {
                         return isLeft_[decision][orbit];
                       });
  }

  /// The answer when a tensor would have to be moved that must not be.
  CheapestPlan impossible() const {
    CheapestPlan plan;
    plan.solution.assignment.assign(graph_.decisions.size(), 0);
    return plan;
  }

  void raiseBound(double bound) { bound_ = std::max(bound_, bound); }

  void offer(CheapestPlan plan) {
    if (!best_ || isBetter(plan, *best_)) best_ = std::move(plan);
  }

  /// Offers the best plan whose orbits are `orbits`.
  void offerNamesOf(const Assignment& orbits) {
    auto named = searchNames([&](size_t decision, State orbit) {
      return orbits[decision] == orbit;
    });
    if (named) offer(std::move(*named));
  }

  /// Offers a plan of the orbits `left` that fits into memory, if there is one.
  void offerWithinMemory(const Restriction& left) {
    auto limited = searchTables(left.graph(), memoryBytes_, boundMovements_);
    if (!limited) return;
    if (!limited->fits) leastBytes_ = limited->leastBytes;
    raiseBound(limited->solution.lowerBound);
    offerNamesOf(left.inWhole(limited->solution.assignment));
  }

  std::optional<CheapestPlan> searchNames(
      llvm::function_ref<bool(size_t decision, State orbit)> keeps) {
    Restriction restriction(graph_, [&](size_t decision, State state) {
      return keeps(decision, orbits_.orbitOf(decision, state));
    });
    auto found = searchTables(restriction.graph(), memoryBytes_, movements_);
    if (!found) return std::nullopt;
    found->solution.assignment =
        restriction.inWhole(found->solution.assignment);
    // These are bounds for the names of some orbits only.
    found->leastBytes = 0;
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

  /// Leaves out orbits with which a plan costs more than the best one; whether
  /// these are some.
  bool narrow(const LeastCosts& least) {
    if (!best_ || !best_->fits) return false;
    double limit = best_->solution.cost * (1 + kRounding);
    size_t before = 0, after = 0;
    for (auto [isLeft, costs] : llvm::zip(isLeft_, least.with)) {
      size_t number = 0;  // among those that were left
      for (size_t orbit = 0; orbit < isLeft.size(); ++orbit) {
        if (!isLeft[orbit]) continue;
        ++before;
        if (costs[number++] > limit)
          isLeft[orbit] = false;
        else
          ++after;
      }
    }
    return after < 0.9 * before;
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  Orbits orbits_;
  Movements boundMovements_;

  /// Per decision and orbit, whether a plan may have it that is better than
  /// `best_`.
  std::vector<std::vector<bool>> isLeft_;
  std::optional<CheapestPlan> best_;
  double bound_ = 0;
  double leastBytes_ = 0;
};

}  // namespace

std::optional<CheapestPlan> searchWithoutNames(const DecisionGraph& graph,
                                               double memoryBytes,
                                               Movements& movements) {
  return NamelessSearch(graph, memoryBytes, movements).run();
}

}  // namespace sbp::search
