#include "passes/search/program/FlowLinks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {
namespace {

using Number = PlacementTable::Number;

/// How a decision lays one tensor in some of its slots.
using Face = std::vector<Number>;

class LinkMaker {
 public:
  LinkMaker(const DecisionGraph& graph, Movements& movements)
      : graph_(graph), movements_(movements) {}

  LinkedProblem run() {
    double most = 0;
    for (const Decision& decision : graph_.decisions) {
      std::vector<Cost>& own = problem_.own.emplace_back();
      for (const Decision::State& state : decision.states)
        own.push_back(state.seconds + state.communicatingSeconds);
      most += *std::max_element(own.begin(), own.end());
    }
    forbidden_ = 1 + 10 * most;
    for (const Flow& flow : graph_.flows) addFlow(flow);
    return std::move(problem_);
  }

 private:
  void addFlow(const Flow& flow) {
    // The slots in which each decision uses the tensor.
    std::map<int64_t, std::vector<int64_t>> users;
    for (const Flow::Use& use : flow.uses)
      if (!use.isPin) users[use.slot.decision].push_back(use.slot.index);
    double times = flow.times / static_cast<double>(users.size());
    if (times == 0) return;
    for (auto& [decision, slots] : users) {
      if (decision == flow.made.decision) {
        addOwn(flow, slots, times);
        continue;
      }
      size_t made = viewOf(flow.made.decision, {flow.made.index});
      size_t used = viewOf(decision, slots);
      size_t costs = costsOf(flow, made, used);
      problem_.links.push_back({made, used, costs, times});
    }
  }

  /// What a decision pays that itself uses what it makes.
  void addOwn(const Flow& flow, const std::vector<int64_t>& slots,
              double times) {
    std::vector<Cost>& own = problem_.own[flow.made.decision];
    const Decision& decision = graph_.decisions[flow.made.decision];
    for (auto [cost, state] : llvm::zip(own, decision.states)) {
      Face face;
      for (int64_t slot : slots) face.push_back(state.placements[slot]);
      cost += times * dearest(flow, state.placements[flow.made.index], face);
    }
  }

  double dearest(const Flow& flow, Number from, const Face& to) {
    TensorMovements& movements = movements_.of(flow.shape, flow.elementBytes);
    double most = 0;
    for (Number number : to) {
      if (number == from) continue;
      if (!flow.mayMove) return forbidden_;
      most = std::max(most, movements.seconds(from, number));
    }
    return most;
  }

  size_t viewOf(int64_t decision, const std::vector<int64_t>& slots) {
    auto [entry, isNew] =
        views_.try_emplace({decision, slots}, problem_.views.size());
    if (!isNew) return entry->second;
    std::map<Face, State> known;
    std::vector<Face>& faces = faces_.emplace_back();
    FacedVariable& view = problem_.views.emplace_back();
    view.variable = decision;
    for (const Decision::State& state : graph_.decisions[decision].states) {
      Face face;
      for (int64_t slot : slots) face.push_back(state.placements[slot]);
      auto [place, isNewFace] =
          known.try_emplace(face, static_cast<State>(faces.size()));
      if (isNewFace) faces.push_back(std::move(face));
      view.faceOf.push_back(place->second);
    }
    view.numFaces = faces.size();
    return entry->second;
  }

  /// The costs between the faces of two views; flows that are alike share
  /// them.
  size_t costsOf(const Flow& flow, size_t made, size_t used) {
    CostsKey key(std::vector<int64_t>(flow.shape.begin(), flow.shape.end()),
                 flow.elementBytes, flow.mayMove, faces_[made], faces_[used]);
    auto [entry, isNew] =
        costs_.try_emplace(std::move(key), problem_.costs.size());
    if (!isNew) return entry->second;
    FaceCosts& costs = problem_.costs.emplace_back();
    costs.rows = faces_[made].size();
    costs.columns = faces_[used].size();
    costs.costs.reserve(costs.rows * costs.columns);
    for (const Face& from : faces_[made])
      for (const Face& to : faces_[used])
        costs.costs.push_back(dearest(flow, from.front(), to));
    return entry->second;
  }

  using CostsKey = std::tuple<std::vector<int64_t>, int64_t, bool,
                              std::vector<Face>, std::vector<Face>>;

  const DecisionGraph& graph_;
  Movements& movements_;
  LinkedProblem problem_;
  double forbidden_ = 0;
  std::map<std::pair<int64_t, std::vector<int64_t>>, size_t> views_;
  std::vector<std::vector<Face>> faces_;  // per view
  std::map<CostsKey, size_t> costs_;
};

}  // namespace

LinkedProblem linksOf(const DecisionGraph& graph, Movements& movements) {
  return LinkMaker(graph, movements).run();
}

}  // namespace sbp::search
