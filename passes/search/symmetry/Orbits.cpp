#include "passes/search/symmetry/Orbits.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/decisions/PinnedFlows.h"

namespace sbp::search {
namespace {

using Number = PlacementTable::Number;

/// Makes the orbits of the states of one decision.
class OrbitMaker {
 public:
  OrbitMaker(const DecisionGraph& graph, const AlikeAxes& alike,
             PlacementTable& quotient)
      : graph_(graph), alike_(alike), quotient_(quotient) {}

  /// Returns the orbits of `states`, and appends the orbit of each state to
  /// `orbitOf`.
  std::vector<Decision::State> run(const std::vector<Decision::State>& states,
                                   std::vector<State>& orbitOf) {
    std::vector<Decision::State> orbits;
    std::map<std::vector<int64_t>, State> known;
    for (const Decision::State& state : states) {
      auto [entry, isNew] =
          known.try_emplace(rolesOf(state), static_cast<State>(orbits.size()));
      orbitOf.push_back(entry->second);
      if (isNew) {
        orbits.push_back(representativeOf(state));
        continue;
      }
      Decision::State& orbit = orbits[entry->second];
      orbit.seconds = std::min(orbit.seconds, state.seconds);
      orbit.communicatingSeconds =
          std::min(orbit.communicatingSeconds, state.communicatingSeconds);
    }
    return orbits;
  }

 private:
  /// Returns a number per axis for its components in all slots; sorted within
  /// each group of alike axes.
  std::vector<int64_t> rolesOf(const Decision::State& state) {
    std::vector<int64_t> roles;
    for (size_t axis = 0; axis < graph_.mesh.axes.size(); ++axis) {
      std::vector<Component> column;
      for (Number placement : state.placements)
        column.push_back(graph_.placements[placement][axis]);
      roles.push_back(
          roles_.try_emplace(std::move(column), roles_.size()).first->second);
    }
    for (size_t axis = 1; axis < roles.size(); ++axis)
      for (size_t i = axis;
           i > 0 && alike_.isLikePrevious(i) && roles[i] < roles[i - 1]; --i)
        std::swap(roles[i], roles[i - 1]);
    return roles;
  }

  Decision::State representativeOf(const Decision::State& state) {
    Decision::State orbit = state;
    for (Number& placement : orbit.placements)
      placement = quotient_.numberOf(
          alike_.representativeOf(graph_.placements[placement]));
    return orbit;
  }

  const DecisionGraph& graph_;
  const AlikeAxes& alike_;
  PlacementTable& quotient_;
  std::map<std::vector<Component>, int64_t> roles_;
};

/// Adds `flow` such that its cost without names is a lower bound. After or
/// beside pins, a box of one version is made once for several uses, which
/// orbits cannot express. But serving all uses costs at least as much as
/// serving the dearest one, so at least the mean: each use becomes a flow for
/// an equal fraction of the price. Only the memory of the tensor as made is
/// counted.
void addWithoutNames(const Flow& flow, std::vector<Flow>& flows) {
  if (!hasPin(cutAtPins(flow).front())) {
    flows.push_back(flow);
    return;
  }
  flows.emplace_back(flow).uses.clear();
  std::vector<Flow> apart = usesApart(flow);
  for (Flow& part : apart) {
    part.times /= static_cast<double>(apart.size());
    part.isLent = true;
    for (Flow::Use& use : part.uses) use.isStored = true;
    flows.push_back(std::move(part));
  }
}

}  // namespace

Orbits::Orbits(const DecisionGraph& graph, const AlikeAxes& alike)
    : graph_(graph), orbitOf_(graph.decisions.size()) {
  graph_.placements = PlacementTable();
  for (auto [decision, given, orbitOf] :
       llvm::zip(graph_.decisions, graph.decisions, orbitOf_))
    decision.states =
        OrbitMaker(graph, alike, graph_.placements).run(given.states, orbitOf);
  graph_.flows.clear();
  for (const Flow& flow : graph.flows) addWithoutNames(flow, graph_.flows);
}

}  // namespace sbp::search
