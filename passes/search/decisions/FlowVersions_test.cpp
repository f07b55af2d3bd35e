// The versions of a tensor: which there are, how long they live, and for how
// many micro-batches they exist.

#include "passes/search/decisions/FlowVersions.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/decisions/testing/DividedMesh.h"

namespace sbp::search {
namespace {

const Component B = Component::broadcast();
const Component P = Component::partial(Reduction::Sum);
Component S(int64_t dim) { return Component::split(dim); }

/// Returns a graph of one tensor, with one state per decision. The first of
/// `placements` is where it is made, the others are its uses, all on the second
/// and third axis.
DecisionGraph oneFlow(llvm::ArrayRef<Component> placements) {
  DecisionGraph graph;
  graph.mesh = dividedMesh();
  for (Component kind : placements)
    graph.decisions.emplace_back().states.emplace_back().placements = {
        graph.placements.numberOf({B, kind, kind})};
  Flow flow;
  flow.shape = {64, 64};
  flow.elementBytes = 4;
  flow.made = {0, 0};
  for (size_t use = 1; use < placements.size(); ++use) {
    auto number = static_cast<int64_t>(use);
    flow.uses.push_back({{number, 0}, false, number, number});
  }
  graph.flows.push_back(std::move(flow));
  graph.functions.push_back({static_cast<int64_t>(placements.size()), {}, {}});
  return graph;
}

TEST(FlowVersions, behind_a_pin_come_from_what_was_laid_for_it) {
  TransitionTable transitions(dividedMesh());
  // A use, the pin, and a use that wants the placement of the first use.
  DecisionGraph graph = oneFlow({P, S(0), B, S(0)});
  Flow& flow = graph.flows.front();
  Movements movements(graph.placements, transitions);
  const std::vector<PlacementTable::Number> placements = {0, 1, 2, 1};
  EXPECT_EQ(FlowVersions(graph, flow, movements).of(placements).size(), 3u);
  flow.uses[2].behind = 1;
  auto versions = FlowVersions(graph, flow, movements).of(placements);
  ASSERT_EQ(versions.size(), 4u);
  EXPECT_EQ(versions[3].first, 3);
}

TEST(FlowVersions, are_made_once_behind_a_pin_and_beside_it) {
  TransitionTable transitions(dividedMesh());
  // The pin wants the tensor as made, so both uses need the same version.
  DecisionGraph graph = oneFlow({S(0), S(0), B, B});
  Flow& flow = graph.flows.front();
  flow.uses[1].behind = 0;
  Movements movements(graph.placements, transitions);
  auto versions = FlowVersions(graph, flow, movements).of({0, 0, 1, 1});
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[1].last, 3);
}

TEST(FlowVersions, exist_for_all_calls_that_wait) {
  TransitionTable transitions(dividedMesh());
  // Made at op 0 and used there until op 1; op 2 needs another placement.
  DecisionGraph graph = oneFlow({S(0), S(0), B});
  graph.flows.front().keptUntil = 1;
  graph.functions.front().holds = {{0, 2, 5}};
  Movements movements(graph.placements, transitions);
  auto versions =
      FlowVersions(graph, graph.flows.front(), movements).of({0, 0, 1});
  ASSERT_EQ(versions.size(), 2u);
  // The tensor as made is the source of the other version until op 2.
  EXPECT_EQ(versions[0].copies, 5);
  EXPECT_EQ(versions[1].copies, 0);
  EXPECT_EQ(bytesAt(versions[0], /*op=*/1, /*isInPipeline=*/true),
            5 * versions[0].bytes);
  graph.flows.front().madeAt = 1;
  auto later =
      FlowVersions(graph, graph.flows.front(), movements).of({0, 0, 1});
  EXPECT_EQ(later[0].copies, 0);
  // While no call or another function runs, all five wait.
  EXPECT_EQ(bytesAt(versions[0], /*op=*/-1, /*isInPipeline=*/true),
            5 * versions[0].bytes);
  EXPECT_EQ(bytesAt(versions[0], /*op=*/-1, /*isInPipeline=*/false), 0);
}

}  // namespace
}  // namespace sbp::search
