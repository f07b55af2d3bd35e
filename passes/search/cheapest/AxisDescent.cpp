#include "passes/search/cheapest/AxisDescent.h"

#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/cheapest/Tables.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/symmetry/TiedPlans.h"

namespace sbp::search {
namespace {

/// Searches plans that differ from the best one on some axes only.
class AxisDescent {
 public:
  AxisDescent(const DecisionGraph& graph, double memoryBytes,
              Movements& movements, std::vector<Moment>& moments,
              const SearchRun& run)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        moments_(moments),
        run_(run) {
    for (auto [axis, description] : llvm::enumerate(graph.mesh.axes))
      if (description.size > 1) axes_.push_back(axis);
  }

  CheapestPlan tied() {
    // The first state of every decision splits nothing, apart from inputs.
    best_ = priced(Assignment(graph_.decisions.size(), 0));
    if (run_.isOver()) return withoutBounds();
    double numAll = numEntries(graph_);
    for (AxisTies ties : {AxisTies::OfTheMesh, AxisTies::OfALevel}) {
      Restriction tied = withTies(graph_, ties);
      if (numEntries(tied.graph()) < numAll) tryRestriction(tied);
    }
    return withoutBounds();
  }

  CheapestPlan descend(CheapestPlan begin) {
    best_ = std::move(begin);
    // The last axes have the fastest links.
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (size_t j = axes_.size(); j-- > 0;)
      for (size_t i = j; i-- > 0;) pairs.push_back({axes_[i], axes_[j]});
    size_t numInVain = 0;  // pairs tried since the last improvement
    for (size_t i = 0; numInVain < pairs.size() && !run_.isOver();
         i = (i + 1) % pairs.size())
      numInVain =
          improve({pairs[i].first, pairs[i].second}) ? 0 : numInVain + 1;
    return withoutBounds();
  }

 private:
  CheapestPlan withoutBounds() const {
    CheapestPlan plan = best_;
    plan.solution.lowerBound = 0;
    plan.leastBytes = 0;
    return plan;
  }

  CheapestPlan priced(Assignment assignment) const {
    return pricedPlan(graph_, std::move(assignment), memoryBytes_, movements_);
  }

  /// Whether `state` places all tensors as the best plan does, on all axes but
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

  /// Searches the placements on the axes `free`. Returns whether this gives a
  /// better plan.
  bool improve(llvm::ArrayRef<int64_t> free) {
    std::optional<bool> isBetter =
        tryRestriction(Restriction(graph_, [&](size_t decision, State state) {
          return agrees(decision, state, free);
        }));
    if (isBetter || free.size() == 1) return isBetter.value_or(false);
    bool first = improve(free.take_front(1));
    bool second = improve(free.take_back(1));
    return first || second;
  }

  /// Searches some of the plans. Returns whether this gives a better plan;
  /// nullopt if elimination would take too much.
  std::optional<bool> tryRestriction(const Restriction& restriction) {
    CostRange range;
    if (best_.fits) range.ceiling = best_.solution.cost;
    auto found =
        searchTables(restriction.graph(), memoryBytes_, movements_, moments_,
                     /*shares=*/nullptr, range, run_, Proof::NotWanted);
    if (!found) return std::nullopt;
    return offer(priced(restriction.inWhole(found->solution.assignment)));
  }

  /// Makes `plan` the best plan if it is better. Returns whether it is.
  bool offer(CheapestPlan plan) {
    // Improvements by rounding errors might never end.
    bool isMuchCheaper = plan.solution.cost < best_.solution.cost * (1 - 1e-9);
    if (!isBetter(plan, best_) || (plan.fits && best_.fits && !isMuchCheaper))
      return false;
    best_ = std::move(plan);
    if (best_.fits) run_.foundPlan(best_.solution.cost);
    return true;
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  std::vector<Moment>& moments_;
  const SearchRun& run_;
  std::vector<int64_t> axes_;
  CheapestPlan best_;
};

}  // namespace

CheapestPlan searchTiedLevels(const DecisionGraph& graph, double memoryBytes,
                              Movements& movements,
                              std::vector<Moment>& moments,
                              const SearchRun& run) {
  return AxisDescent(graph, memoryBytes, movements, moments, run).tied();
}

CheapestPlan descendByAxes(const DecisionGraph& graph, double memoryBytes,
                           Movements& movements, std::vector<Moment>& moments,
                           CheapestPlan begin, const SearchRun& run) {
  return AxisDescent(graph, memoryBytes, movements, moments, run)
      .descend(std::move(begin));
}

}  // namespace sbp::search
