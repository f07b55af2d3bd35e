// The search of the quotient finds plans as cheap as the search of all states.

#include "passes/search/cheapest/QuotientSearch.h"

#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/AlikeAxes.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/cheapest/FlowFactors.h"
#include "passes/search/cheapest/Tables.h"
#include "passes/search/decisions/FlowShares.h"
#include "passes/search/decisions/FlowVersions.h"
#include "passes/search/decisions/PinnedFlows.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/decisions/testing/DividedMesh.h"
#include "passes/search/solvers/FactorGraph.h"
#include "passes/search/solvers/Messages.h"
#include "passes/search/symmetry/Orbits.h"

namespace sbp::search {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Rounding error of sums of some hundred microseconds.
constexpr double kRounding = 1e-12;

const Component B = Component::broadcast();
const Component P = Component::partial(Reduction::Sum);
Component S(int64_t dim) { return Component::split(dim); }

/// A signature of an op on one axis: the components of its slots.
using Role = std::vector<Component>;

/// A random graph of residual blocks. Each op reads the op before it and a
/// parameter; some read the op before that as well.
class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed, bool hasPins = false)
      : random_(seed), hasPins_(hasPins) {
    graph_.mesh = dividedMesh();
    auto numOps = static_cast<int64_t>(3 + random_() % 4);
    for (int64_t op = 0; op < numOps; ++op) addOp(op);
    for (int64_t op = 0; op + 1 < numOps; ++op) addFlow(op, numOps);
    graph_.functions.push_back({numOps, {}, {}});
    // A quarter is repeated for micro-batches, up to four of them at once.
    if (random_() % 4 > 0) return;
    const auto from = static_cast<int64_t>(random_() % (numOps - 1));
    graph_.functions.front().holds = {
        {from, from + 1, static_cast<int64_t>(1 + random_() % 4)}};
  }

  DecisionGraph take() { return std::move(graph_); }

 private:
  enum Slots { kInput, kSkip, kParameter, kResult };

  Role anyRole() {
    static const std::vector<Role> roles = {
        {B, B, B, B},          {S(0), S(0), B, S(0)}, {B, B, S(1), S(1)},
        {S(1), S(1), S(0), P}, {S(1), B, B, S(1)},    {P, P, B, P},
    };
    return roles[random_() % roles.size()];
  }

  void addOp(int64_t number) {
    Decision& decision = graph_.decisions.emplace_back();
    decision.name = "op " + std::to_string(number);
    decision.members.push_back({0, number});
    std::vector<Role> roles;
    while (roles.size() < 3) {
      Role role = anyRole();
      if (!llvm::is_contained(roles, role)) roles.push_back(role);
    }
    // The cost of computing does not depend on names.
    std::map<std::vector<size_t>, double> seconds;
    for (size_t node = 0; node < 3; ++node)
      for (size_t first = 0; first < 3; ++first)
        for (size_t second = 0; second < 3; ++second) {
          std::vector<size_t> key = {node, std::min(first, second),
                                     std::max(first, second)};
          auto [known, isNew] = seconds.try_emplace(key, 0);
          if (isNew)
            known->second = static_cast<double>(random_() % 100) * 1e-6;
          Decision::State state;
          for (size_t slot = kInput; slot <= kResult; ++slot)
            state.placements.push_back(graph_.placements.numberOf(
                {roles[node][slot], roles[first][slot], roles[second][slot]}));
          state.seconds = known->second;
          decision.states.push_back(std::move(state));
        }
    graph_.kept.push_back({false, {64, 96}, 4, {number, kParameter}});
  }

  void addFlow(int64_t op, int64_t numOps) {
    Flow flow;
    flow.shape = random_() % 2 == 0 ? llvm::SmallVector<int64_t, 4>{64, 96}
                                    : llvm::SmallVector<int64_t, 4>{30, 7};
    flow.elementBytes = 4;
    flow.made = {op, kResult};
    flow.madeAt = flow.keptUntil = op;
    while (hasPins_ && random_() % 2 == 0) addPin(flow, op);
    auto numPins = static_cast<int64_t>(flow.uses.size());
    auto anyPin = [&]() -> int64_t {
      return numPins == 0 ? -1 : static_cast<int64_t>(random_() % numPins);
    };
    flow.uses.push_back({{op + 1, kInput}, false, op + 1, op + 1, anyPin()});
    if (op + 2 < numOps && random_() % 2 == 0)
      flow.uses.push_back({{op + 2, kSkip}, false, op + 2, op + 2, -1});
    flow.times = static_cast<double>(1 + random_() % 3);
    graph_.flows.push_back(std::move(flow));
  }

  /// Pins the result of `op`, before all other uses; after the pin before or
  /// beside it.
  void addPin(Flow& flow, int64_t op) {
    const Component kinds[] = {B, P, S(0), S(1)};
    Placement placement;
    for (size_t axis = 0; axis < graph_.mesh.axes.size(); ++axis)
      placement.push_back(kinds[random_() % std::size(kinds)]);
    auto pin = static_cast<int64_t>(graph_.decisions.size());
    Decision& decision = graph_.decisions.emplace_back();
    decision.name = "pin";
    decision.states.emplace_back().placements = {
        graph_.placements.numberOf(placement)};
    auto last = static_cast<int64_t>(flow.uses.size()) - 1;
    flow.uses.push_back({{pin, 0}, false, op, op, random_() % 2 ? last : -1});
  }

  std::mt19937_64 random_;
  bool hasPins_;
  DecisionGraph graph_;
};

/// Expects that the search of the quotient finds the same cost. Returns the
/// cost.
double expectAsCheap(const DecisionGraph& graph, TransitionTable& transitions,
                     uint64_t seed) {
  Movements movements(graph.placements, transitions);
  std::vector<Moment> moments;
  auto named = searchTables(graph, kUnlimited, movements, moments);
  EXPECT_TRUE(named) << seed;
  if (!named) return 0;
  double cost = named->solution.cost;
  auto quotient = searchQuotient(graph, kUnlimited, movements);
  EXPECT_TRUE(quotient.solution.isOptimal()) << seed;
  EXPECT_NEAR(quotient.solution.cost, cost, 1e-9 * cost) << seed;
  return cost;
}

TEST(QuotientSearch, finds_plans_as_cheap_as_the_search_with_names) {
  TransitionTable transitions(dividedMesh());
  int numNamesMatter = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DecisionGraph graph = RandomGraph(seed).take();
    double cost = expectAsCheap(graph, transitions, seed);

    Orbits orbits(graph, AlikeAxes(graph.mesh));
    Movements bounds(orbits.graph().placements, transitions.bounds());
    auto bound = leastCostsOf(orbits.graph(), bounds);
    ASSERT_TRUE(bound);
    EXPECT_LE(bound->cheapest.cost, cost * (1 + 1e-9)) << seed;
    numNamesMatter += bound->cheapest.cost < cost * (1 - 1e-9);
  }
  // In some graphs a plan of orbits costs less than any named plan.
  EXPECT_GT(numNamesMatter, 0);
}

TEST(QuotientSearch, finds_plans_as_cheap_where_tensors_are_pinned) {
  TransitionTable transitions(dividedMesh());
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DecisionGraph graph = RandomGraph(seed, /*hasPins=*/true).take();
    expectAsCheap(graph, transitions, seed);
  }
}

/// Returns a graph with one tensor: split along one dimension, pinned whole,
/// and used split along two others. The last use is after the pin if
/// `isBehind`.
DecisionGraph pinnedWhole(bool isBehind) {
  DecisionGraph graph;
  graph.mesh = dividedMesh();
  for (Component kind : {S(0), B, S(1), S(2)}) {
    Decision& decision = graph.decisions.emplace_back();
    decision.states.emplace_back().placements = {
        graph.placements.numberOf({B, kind, kind})};
  }
  Flow flow;
  flow.shape = {8, 8, 8};
  flow.elementBytes = 4;
  flow.made = {0, 0};
  flow.uses = {{{1, 0}, false, 1, 1},
               {{2, 0}, false, 2, 2, 0},
               {{3, 0}, false, 3, 3, isBehind ? 0 : -1}};
  flow.keptUntil = 3;
  graph.flows.push_back(flow);
  graph.functions.push_back({4, {}, {}});
  return graph;
}

TEST(QuotientSearch, knows_that_what_is_laid_for_a_pin_serves_others) {
  TransitionTable transitions(dividedMesh());
  for (bool isBehind : {true, false}) {
    DecisionGraph graph = pinnedWhole(isBehind);
    Movements movements(graph.placements, transitions);
    // One gather takes one latency, two exchanges take two.
    double gathered = communicatingSeconds(graph, {0, 0, 0, 0}, movements);
    CheapestPlan plan = searchQuotient(graph, kUnlimited, movements);
    EXPECT_NEAR(plan.solution.cost, gathered, 1e-9 * gathered);
    EXPECT_LE(plan.solution.lowerBound, gathered * (1 + 1e-9));

    Orbits orbits(graph, AlikeAxes(graph.mesh));
    Movements bounds(orbits.graph().placements, transitions.bounds());
    auto bound = leastCostsOf(orbits.graph(), bounds);
    ASSERT_TRUE(bound);
    EXPECT_LE(bound->cheapest.cost, gathered * (1 + 1e-9));
  }
}

/// Adds flows between random slots of all ops. A flow may use a slot of its own
/// op.
void addAnyFlows(DecisionGraph& graph, size_t numOps, std::mt19937_64& random) {
  auto anySlot = [&]() -> Slot {
    return {static_cast<int64_t>(random() % numOps),
            static_cast<int64_t>(random() % 4)};
  };
  for (int number = 0; number < 3; ++number) {
    Flow flow;
    flow.shape = {64, 96};
    flow.elementBytes = 4;
    flow.made = anySlot();
    size_t numUses = 1 + random() % 7;
    while (flow.uses.size() < numUses) {
      Flow::Use use = {anySlot()};
      // A use before this one may be a pin.
      if (random() % 4 == 0)
        use.behind =
            static_cast<int64_t>(random() % (1 + flow.uses.size())) - 1;
      flow.uses.push_back(use);
    }
    graph.flows.push_back(std::move(flow));
  }
}

double secondsOf(const DecisionGraph& graph, const Flow& flow,
                 const Assignment& assignment, Movements& movements) {
  return FlowVersions(graph, flow, movements)
      .secondsOf(graph.placementsOf(flow, assignment));
}

Assignment anyAssignment(const DecisionGraph& graph, std::mt19937_64& random) {
  Assignment assignment;
  for (const Decision& decision : graph.decisions)
    assignment.push_back(static_cast<State>(random() % decision.states.size()));
  return assignment;
}

TEST(PinnedFlows, take_what_their_parts_do) {
  TransitionTable transitions(dividedMesh());
  std::mt19937_64 random(7);
  int numCut = 0, numApart = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DecisionGraph graph = RandomGraph(seed, /*hasPins=*/true).take();
    Movements movements(graph.placements, transitions);
    Assignment assignment = anyAssignment(graph, random);
    for (const Flow& flow : graph.flows) {
      if (!hasPin(flow)) continue;
      double whole = secondsOf(graph, flow, assignment, movements);
      std::vector<Flow> parts = cutAtPins(flow);
      double sum = 0;
      for (const Flow& part : parts)
        sum += secondsOf(graph, part, assignment, movements);
      EXPECT_NEAR(sum, whole, kRounding) << seed;
      ++(hasPin(parts.front()) ? numApart : numCut);
      for (const Flow& apart : usesApart(flow))
        EXPECT_LE(secondsOf(graph, apart, assignment, movements),
                  whole + kRounding)
            << seed;
    }
  }
  EXPECT_GT(numCut, 10);
  EXPECT_GT(numApart, 10);
}

TEST(FlowFactors, cost_no_more_than_the_flows_they_stand_for) {
  TransitionTable transitions(dividedMesh());
  std::mt19937_64 random(7);
  int numEqual = 0, numAssignments = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    DecisionGraph graph = RandomGraph(seed).take();
    addAnyFlows(graph, graph.decisions.size(), random);
    Movements movements(graph.placements, transitions);
    FlowFactors factors = *factorsOf(graph, movements, kUnlimited);
    Messages messages(factors.problem);
    for (int sweep = 0; sweep < 10; ++sweep) messages.sweep();
    messages.collect();
    FlowShares shares = sharesOf(factors, messages, graph.flows.size());
    for (int time = 0; time < 20; ++time) {
      Assignment assignment = anyAssignment(graph, random);
      double seconds = 0, factorSeconds = 0;
      for (size_t d = 0; d < graph.decisions.size(); ++d) {
        seconds += graph.decisions[d].states[assignment[d]].seconds;
        factorSeconds += factors.problem.own[d][assignment[d]];
      }
      for (auto [flow, ofFlow] : llvm::zip(graph.flows, shares)) {
        double flowSeconds = secondsOf(graph, flow, assignment, movements);
        double paid = 0;
        for (const FlowShare& share : ofFlow) {
          Projection projection;
          for (int64_t slot : share.slots)
            projection.push_back(graph.placementAt({share.decision, slot},
                                                   assignment[share.decision]));
          paid += share.seconds.at(projection);
        }
        EXPECT_LE(paid, flowSeconds + kRounding) << seed;
        seconds += flowSeconds;
      }
      for (const FactorGraph::Factor& factor : factors.problem.factors)
        factorSeconds += factors.problem.costOf(factor, assignment);
      EXPECT_LE(factorSeconds, seconds + kRounding) << seed;
      EXPECT_LE(messages.bound(), factorSeconds + kRounding) << seed;
      numEqual += factorSeconds >= seconds - kRounding;
      ++numAssignments;
    }
  }
  // Links often cost as much as flows.
  EXPECT_GT(numEqual, numAssignments / 20);
}

TEST(FlowFactors, cost_what_flows_of_several_uses_do) {
  TransitionTable transitions(dividedMesh());
  std::mt19937_64 random(7);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    DecisionGraph graph = RandomGraph(seed).take();
    Movements movements(graph.placements, transitions);
    FactorGraph factors = factorsOf(graph, movements, kUnlimited)->problem;
    Assignment assignment = anyAssignment(graph, random);
    double seconds = 0, factorSeconds = 0;
    for (const Flow& flow : graph.flows) {
      // A factor may cost less for Partial tensors.
      auto isPartialAt = [&](Slot slot) {
        return graph.placements.isPartial(
            graph.placementAt(slot, assignment[slot.decision]));
      };
      bool hasTerms = isPartialAt(flow.made);
      for (const Flow::Use& use : flow.uses) hasTerms |= isPartialAt(use.slot);
      if (hasTerms) continue;
      seconds += secondsOf(graph, flow, assignment, movements);
      factorSeconds += factors.costOf(
          factors.factors[&flow - graph.flows.data()], assignment);
    }
    EXPECT_NEAR(factorSeconds, seconds, kRounding) << seed;
  }
}

TEST(Tables, are_bounds_that_begin_where_messages_end) {
  TransitionTable transitions(dividedMesh());
  for (uint64_t seed = 0; seed < 100; ++seed) {
    DecisionGraph graph = RandomGraph(seed).take();
    Movements movements(graph.placements, transitions);
    FlowFactors factors = *factorsOf(graph, movements, kUnlimited);
    Messages messages(factors.problem);
    messages.sweep();
    messages.collect();
    FlowShares shares = sharesOf(factors, messages, graph.flows.size());
    auto exact = leastCostsOf(graph, movements);
    // No table may hold three uses.
    auto bounds = leastCostsOf(graph, movements, /*maxEntries=*/0, &shares);
    ASSERT_TRUE(exact && bounds);
    EXPECT_GE(bounds->cheapest.cost, messages.bound() - kRounding) << seed;
    for (auto [least, bound] : llvm::zip(exact->with, bounds->with))
      for (auto [cost, atLeast] : llvm::zip(least, bound))
        EXPECT_LE(atLeast, cost + kRounding) << seed;
  }
}

TEST(QuotientSearch, keeps_memory_limits_as_the_search_with_names_does) {
  TransitionTable transitions(dividedMesh());
  int numFit = 0, numNotFit = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    DecisionGraph graph = RandomGraph(seed).take();
    Movements movements(graph.placements, transitions);
    std::vector<Moment> moments;
    auto free = searchTables(graph, kUnlimited, movements, moments);
    ASSERT_TRUE(free);
    for (double part : {0.9, 0.6, 0.1}) {
      double limit = part * free->memory.bytes;
      auto named = searchTables(graph, limit, movements, moments);
      auto quotient = searchQuotient(graph, limit, movements);
      ASSERT_TRUE(named) << seed;
      if (named->fits && named->solution.isOptimal()) {
        ASSERT_TRUE(quotient.fits) << seed << ", " << part;
        EXPECT_LE(quotient.solution.lowerBound,
                  named->solution.cost * (1 + 1e-9));
        EXPECT_TRUE(quotient.solution.isOptimal()) << seed << ", " << part;
        EXPECT_NEAR(quotient.solution.cost, named->solution.cost,
                    1e-9 * named->solution.cost)
            << seed << ", " << part;
        ++numFit;
      }
      if (!named->fits && named->leastBytes > 0) {
        EXPECT_FALSE(quotient.fits) << seed << ", " << part;
        ++numNotFit;
      }
    }
  }
  EXPECT_GT(numFit, 50);
  EXPECT_GT(numNotFit, 10);
}

}  // namespace
}  // namespace sbp::search
