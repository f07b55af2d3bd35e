#include "passes/search/cheapest/FlowFactors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/decisions/AlikeFlows.h"
#include "passes/search/decisions/PinnedFlows.h"

namespace sbp::search {
namespace {

using Number = PlacementTable::Number;

class FactorMaker {
 public:
  FactorMaker(const DecisionGraph& graph, Movements& movements)
      : graph_(graph), movements_(movements), alike_(alikeFlowsOf(graph)) {}

  std::optional<FlowFactors> make(double maxPrices, const SearchRun& run) {
    double most = 0;
    for (const Decision& decision : graph_.decisions) {
      std::vector<Cost>& own = factors_.problem.own.emplace_back();
      for (const Decision::State& state : decision.states)
        own.push_back(state.seconds + state.communicatingSeconds);
      most += *std::max_element(own.begin(), own.end());
    }
    forbidden_ = 1 + 10 * most;
    for (const AlikeFlows& alike : alike_) {
      flow_ = alike.members.front();
      if (alike.flow.times != 0) addFlow(alike.flow);
    }
    if (numPrices() > maxPrices || !run.allows(numPrices() * sizeof(Cost)))
      return std::nullopt;
    for (const Pricing& pricing : pricings_)
      if (!price(pricing, run)) return std::nullopt;
    return std::move(factors_);
  }

 private:
  /// A decision that uses a tensor, and its slots for the tensor in the order
  /// in which they are served.
  struct User {
    int64_t decision = 0;
    std::vector<int64_t> slots;
  };

  /// Adds `part` of the current flow.
  void addFlow(const Flow& part) {
    std::vector<Flow> parts = cutAtPins(part);
    if (!hasPin(parts.front())) {
      for (const Flow& unpinned : parts) addUnpinned(unpinned);
      return;
    }
    std::vector<Flow> apart = usesApart(part);
    for (Flow& ofUse : apart) {
      ofUse.times /= static_cast<double>(apart.size());
      addFlow(ofUse);
    }
  }

  void addUnpinned(const Flow& part) {
    // The slots in which the maker makes or uses the tensor.
    User maker = {part.made.decision, {part.made.index}};
    std::vector<User> users;
    for (const Flow::Use& use : part.uses) {
      if (use.slot.decision == maker.decision) {
        if (users.empty()) addOwn(part, maker, use.slot.index);
        maker.slots.push_back(use.slot.index);
        continue;
      }
      auto user = llvm::find_if(users, [&](const User& known) {
        return known.decision == use.slot.decision;
      });
      if (user == users.end())
        users.push_back({use.slot.decision, {use.slot.index}});
      else
        user->slots.push_back(use.slot.index);
    }
    size_t made = viewOf(maker);
    std::vector<size_t> used;
    for (const User& user : users) {
      size_t view = viewOf(user);
      // Users that always want the same placement are served once.
      bool isServed =
          factors_.projections[view].size() == 1 &&
          llvm::any_of(used, [&](size_t other) {
            return factors_.projections[other] == factors_.projections[view];
          });
      if (!isServed) used.push_back(view);
    }
    if (used.size() <= FactorGraph::kMaxUses) {
      addFactor(made, used, part.times, /*isWhole=*/true);
      return;
    }
    for (size_t view : used)
      addFactor(made, {view}, part.times / static_cast<double>(used.size()),
                /*isWhole=*/false);
  }

  void addFactor(size_t made, llvm::ArrayRef<size_t> used, double times,
                 bool isWhole) {
    if (used.empty()) return;
    FactorGraph::Factor& factor = factors_.problem.factors.emplace_back();
    factors_.flowOf.push_back(flow_);
    factor.times = times;
    factor.views = {made};
    bool servesAll = isWhole && used.size() == 1;
    for (size_t to : used) {
      for (size_t from : factor.views)
        factor.costs.push_back(
            costsOf(graph_.flows[flow_], from, to, servesAll));
      factor.views.push_back(to);
    }
  }

  /// Takes the decision that makes the tensor and also uses it in slot `use`.
  /// Adds the cost of serving this slot from the slots of `maker` to the
  /// decision's own costs.
  void addOwn(const Flow& flow, const User& maker, int64_t use) {
    std::vector<Cost>& own = factors_.problem.own[maker.decision];
    const Decision& decision = graph_.decisions[maker.decision];
    for (auto [cost, state] : llvm::zip(own, decision.states)) {
      Projection from;
      for (int64_t slot : maker.slots) from.push_back(state.placements[slot]);
      cost += flow.times * seconds(flow, from, state.placements[use]);
    }
  }

  /// Returns the least cost of moving the tensor to placement `to` from one of
  /// the placements `from`.
  double seconds(const Flow& flow, const Projection& from, Number to) {
    if (llvm::is_contained(from, to)) return 0;
    TensorMovements& movements = movements_.of(flow);
    double least = forbidden_;
    for (Number number : from)
      if (flow.mayBecome(number, to, graph_.placements))
        least = std::min(least, movements.seconds(number, to));
    return least;
  }

  size_t viewOf(const User& user) {
    // Slots that have equal placements in all states count once.
    const auto& states = graph_.decisions[user.decision].states;
    std::vector<int64_t> slots;
    for (int64_t slot : user.slots)
      if (llvm::none_of(slots, [&](int64_t other) {
            return llvm::all_of(states, [&](const Decision::State& state) {
              return state.placements[slot] == state.placements[other];
            });
          }))
        slots.push_back(slot);
    auto [entry, isNew] = views_.try_emplace({user.decision, slots},
                                             factors_.problem.views.size());
    if (!isNew) return entry->second;
    Projections projections =
        projectionsTo(slots, graph_.decisions[user.decision]);
    ProjectedVariable& view = factors_.problem.views.emplace_back();
    view.variable = user.decision;
    view.numProjections = projections.all.size();
    view.projectionOf = std::move(projections.of);
    factors_.slots.push_back(std::move(slots));
    factors_.projections.push_back(std::move(projections.all));
    return entry->second;
  }

  /// Costs between the projections of two views: for serving all slots of view
  /// `to`, or its first slot only.
  struct Pricing {
    const Flow* flow = nullptr;
    size_t from = 0, to = 0;
    bool servesAll = false;
  };

  /// Returns the index of these costs in the problem. Alike flows share costs.
  size_t costsOf(const Flow& flow, size_t from, size_t to, bool servesAll) {
    CostsKey key(std::vector<int64_t>(flow.shape.begin(), flow.shape.end()),
                 flow.elementBytes, flow.mayMove, flow.keepsTerms,
                 flow.bucketing, factors_.projections[from],
                 factors_.projections[to], servesAll);
    auto [entry, isNew] = costs_.try_emplace(std::move(key), pricings_.size());
    if (isNew) pricings_.push_back({&flow, from, to, servesAll});
    return entry->second;
  }

  double numPrices() const {
    double sum = 0;
    for (const Pricing& pricing : pricings_)
      sum += static_cast<double>(factors_.projections[pricing.from].size()) *
             static_cast<double>(factors_.projections[pricing.to].size());
    return sum;
  }

  /// Returns false if the run is over.
  bool price(const Pricing& pricing, const SearchRun& run) {
    ProjectionCosts& costs = factors_.problem.costs.emplace_back();
    costs.rows = factors_.projections[pricing.from].size();
    costs.columns = factors_.projections[pricing.to].size();
    costs.costs.reserve(costs.rows * costs.columns);
    for (const Projection& from : factors_.projections[pricing.from]) {
      if (run.isOver()) return false;
      for (const Projection& to : factors_.projections[pricing.to]) {
        double sum = 0;
        Projection versions = from;
        for (Number number : to) {
          sum += seconds(*pricing.flow, versions, number);
          if (!pricing.servesAll) break;
          versions.push_back(number);
        }
        costs.costs.push_back(sum);
      }
    }
    return true;
  }

  using CostsKey =
      std::tuple<std::vector<int64_t>, int64_t, bool, bool, Bucketing,
                 std::vector<Projection>, std::vector<Projection>, bool>;

  const DecisionGraph& graph_;
  Movements& movements_;
  std::vector<AlikeFlows> alike_;
  /// The first of the alike flows that are being added.
  size_t flow_ = 0;
  FlowFactors factors_;
  double forbidden_ = 0;
  std::map<std::pair<int64_t, std::vector<int64_t>>, size_t> views_;
  std::map<CostsKey, size_t> costs_;
  std::vector<Pricing> pricings_;  // per element of problem.costs
};

}  // namespace

FlowShares sharesOf(const FlowFactors& factors, const Messages& messages,
                    size_t numFlows) {
  FlowShares shares(numFlows);
  for (auto [index, factor] : llvm::enumerate(factors.problem.factors))
    for (auto [end, view] : llvm::enumerate(factor.views)) {
      FlowShare& share = shares[factors.flowOf[index]].emplace_back();
      share.decision = factors.problem.views[view].variable;
      share.slots = factors.slots[view];
      for (auto [projection, seconds] :
           llvm::zip(factors.projections[view], messages.takenBy(index, end)))
        share.seconds[projection] = seconds;
    }
  return shares;
}

std::optional<FlowFactors> factorsOf(const DecisionGraph& graph,
                                     Movements& movements, double maxPrices,
                                     const SearchRun& run) {
  return FactorMaker(graph, movements).make(maxPrices, run);
}

}  // namespace sbp::search
