#include "passes/search/program/Pricing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Versions.h"

namespace sbp::search {
namespace {

using Number = PlacementTable::Number;

/// What one flow costs, given the placement in which it is made and those in
/// which it is used.
class FlowPrice {
 public:
  FlowPrice(const DecisionGraph& graph, const Flow& flow,
            TransitionTable& transitions)
      : graph_(graph), flow_(flow), transitions_(transitions) {}

  /// Of a whole step. `placements` has that of the making slot first.
  double seconds(llvm::ArrayRef<Number> placements) {
    Versions versions(placements.front());
    // Per version, how it came to be; a version counts if it is used.
    llvm::SmallVector<Versions::Serving, 4> made(1);
    llvm::SmallVector<bool, 4> counts = {true};
    double sum = 0;
    for (auto [use, wanted] : llvm::zip(flow_.uses, placements.drop_front())) {
      Versions::Serving serving = versions.serve(
          wanted,
          [&](int64_t from, int64_t to) { return transition(from, to); },
          [&](int64_t number) { return graph_.placements.isPartial(number); });
      if (serving.isNew) {
        made.push_back(serving);
        counts.push_back(false);
      }
      if (use.isPin) continue;
      for (size_t v = serving.version; !counts[v]; v = made[v].boxedFrom) {
        counts[v] = true;
        sum += made[v].seconds;
      }
    }
    return flow_.times * sum;
  }

 private:
  double transition(int64_t from, int64_t to) {
    auto [entry, isNew] = known_.try_emplace({from, to}, 0);
    if (isNew)
      entry->second =
          transitions_.cost(graph_.placements[from], graph_.placements[to],
                            flow_.shape, flow_.elementBytes);
    return entry->second;
  }

  const DecisionGraph& graph_;
  const Flow& flow_;
  TransitionTable& transitions_;
  llvm::DenseMap<std::pair<int64_t, int64_t>, double> known_;
};

/// A decision as one flow sees it: only by the placements of its slots there.
struct View {
  int64_t decision;
  /// Which of the flow's slots, the making one first, are the decision's.
  llvm::SmallVector<size_t, 2> slots;
  /// The different placements of these slots, and which a state has.
  std::vector<std::vector<Number>> faces;
  std::vector<State> faceOf;
};

std::vector<View> viewsOf(const DecisionGraph& graph, const Flow& flow) {
  std::vector<Slot> slots = {flow.made};
  for (const Flow::Use& use : flow.uses) slots.push_back(use.slot);
  std::vector<View> views;
  for (auto [position, slot] : llvm::enumerate(slots)) {
    int64_t decision = slot.decision;
    auto view = llvm::find_if(
        views, [&](const View& v) { return v.decision == decision; });
    if (view == views.end()) {
      views.push_back({decision, {}, {}, {}});
      view = std::prev(views.end());
    }
    view->slots.push_back(position);
  }
  for (View& view : views) {
    std::map<std::vector<Number>, State> known;
    const Decision& decision = graph.decisions[view.decision];
    for (const Decision::State& state : decision.states) {
      std::vector<Number> face;
      for (size_t position : view.slots)
        face.push_back(state.placements[slots[position].index]);
      auto [entry, isNew] =
          known.try_emplace(face, static_cast<State>(view.faces.size()));
      if (isNew) view.faces.push_back(std::move(face));
      view.faceOf.push_back(entry->second);
    }
  }
  return views;
}

/// The cost of every combination of faces, row-major over the views.
std::vector<Cost> costsOf(const std::vector<View>& views, size_t numSlots,
                          FlowPrice& price) {
  std::vector<Cost> costs;
  std::vector<size_t> face(views.size(), 0);
  std::vector<Number> placements(numSlots);
  while (true) {
    for (auto [view, index] : llvm::zip(views, face))
      for (auto [position, placement] :
           llvm::zip(view.slots, view.faces[index]))
        placements[position] = placement;
    costs.push_back(price.seconds(placements));
    size_t i = views.size();
    while (i > 0 && ++face[i - 1] == views[i - 1].faces.size()) face[--i] = 0;
    if (i == 0) return costs;
  }
}

/// The costs of faces as costs of the decisions' states.
std::vector<Cost> spread(const std::vector<View>& views,
                         const std::vector<Cost>& costs) {
  std::vector<Cost> result;
  std::vector<size_t> state(views.size(), 0);
  while (true) {
    int64_t index = 0;
    for (auto [view, s] : llvm::zip(views, state))
      index = index * static_cast<int64_t>(view.faces.size()) + view.faceOf[s];
    result.push_back(costs[index]);
    size_t i = views.size();
    while (i > 0 && ++state[i - 1] == views[i - 1].faceOf.size())
      state[--i] = 0;
    if (i == 0) return result;
  }
}

/// Adds a variable whose state is the face that the decision shows, and returns
/// it; the decision itself when it shows another face in every state.
int64_t addFaceVariable(Problem& problem, const View& view) {
  size_t numFaces = view.faces.size();
  if (numFaces == view.faceOf.size()) return view.decision;
  int64_t variable = problem.addVariable(
      problem.variables()[view.decision].name + " seen", numFaces);
  std::vector<Cost> costs(view.faceOf.size() * numFaces, kInfiniteCost);
  for (auto [state, face] : llvm::enumerate(view.faceOf))
    costs[state * numFaces + face] = 0;
  problem.addCosts({view.decision, variable}, std::move(costs));
  return variable;
}

bool isTooWide(const std::vector<View>& views, double maxEntries) {
  double entries = 1;
  for (const View& view : views)
    entries *= static_cast<double>(view.faces.size());
  return views.size() > 2 && entries > maxEntries;
}

void addFlow(Problem& problem, const DecisionGraph& graph, const Flow& flow,
             TransitionTable& transitions) {
  FlowPrice price(graph, flow, transitions);
  std::vector<View> views = viewsOf(graph, flow);
  std::vector<Cost> costs = costsOf(views, 1 + flow.uses.size(), price);
  if (llvm::all_of(costs, [](Cost cost) { return cost == 0; })) return;

  std::vector<int64_t> variables;
  if (views.size() <= 2) {
    costs = spread(views, costs);
    for (const View& view : views) variables.push_back(view.decision);
  } else {
    for (const View& view : views)
      variables.push_back(addFaceVariable(problem, view));
  }
  problem.addCosts(std::move(variables), std::move(costs));
}

/// One flow per use, each run `times` as often as `flow`.
void addUsesApart(Problem& problem, const DecisionGraph& graph,
                  const Flow& flow, double times,
                  TransitionTable& transitions) {
  for (const Flow::Use& use : flow.uses) {
    if (use.isPin) continue;
    Flow apart = flow;
    apart.uses = {use};
    apart.times *= times;
    addFlow(problem, graph, apart, transitions);
  }
}

}  // namespace

PricedProblem problemOf(const DecisionGraph& graph,
                        TransitionTable& transitions, WideFlows wideFlows,
                        double maxEntries) {
  PricedProblem priced;
  Problem& problem = priced.problem;
  for (const Decision& decision : graph.decisions) {
    int64_t variable =
        problem.addVariable(decision.name, decision.states.size());
    std::vector<Cost> costs;
    for (const Decision::State& state : decision.states)
      costs.push_back(state.seconds);
    problem.addCosts({variable}, std::move(costs));
  }
  for (const Flow& flow : graph.flows) {
    if (!isTooWide(viewsOf(graph, flow), maxEntries)) {
      addFlow(problem, graph, flow, transitions);
      continue;
    }
    priced.isExact = false;
    // To serve all uses takes as long as to serve the dearest of them, which is
    // no less than their mean.
    double share = wideFlows == WideFlows::Above
                       ? 1
                       : 1 / static_cast<double>(flow.uses.size());
    addUsesApart(problem, graph, flow, share, transitions);
  }
  return priced;
}

double communicatingSeconds(const DecisionGraph& graph,
                            const Assignment& assignment,
                            TransitionTable& transitions) {
  double seconds = 0;
  for (const Flow& flow : graph.flows) {
    auto placementAt = [&](Slot slot) {
      return graph.placementAt(slot, assignment[slot.decision]);
    };
    llvm::SmallVector<Number, 4> placements = {placementAt(flow.made)};
    for (const Flow::Use& use : flow.uses)
      placements.push_back(placementAt(use.slot));
    seconds += FlowPrice(graph, flow, transitions).seconds(placements);
  }
  return seconds;
}

}  // namespace sbp::search
