// Tests prices and shapes of transitions. TransitionsExecute_test checks that
// they move the right elements.

#include "passes/boxing/Transitions.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Cost.h"

namespace sbp {
namespace {

const Component B = Component::broadcast();
const Component P = Component::partial(Reduction::Sum);
Component S(int64_t dim) { return Component::split(dim); }

/// Returns a mesh whose axis 0 is slow and axis 1 fast.
Mesh twoLevels(int64_t nodes, int64_t gpus) {
  return {
      {{"node", nodes, 2e-5, 8e-11, {}, 0}, {"gpu", gpus, 5e-6, 5e-12, {}, 1}}};
}

std::vector<std::string> stepsOf(const Transition& transition) {
  std::vector<std::string> steps;
  for (const BoxingStep& step : transition.steps)
    steps.push_back(stringOf(step.kind()).str() + " to " +
                    stringOf(step.result));
  return steps;
}

std::vector<Placement> allPlacements(std::vector<Component> components,
                                     size_t numAxes) {
  std::vector<Placement> placements = {Placement()};
  for (size_t axis = 0; axis < numAxes; ++axis) {
    std::vector<Placement> longer;
    for (const Placement& placement : placements)
      for (const Component& component : components) {
        longer.push_back(placement);
        longer.back().push_back(component);
      }
    placements = std::move(longer);
  }
  return placements;
}

bool has(Component component, const Placement& placement) {
  return llvm::is_contained(placement, component);
}

TEST(Transitions, mix_no_reductions_for_the_sake_of_an_axis_of_one_device) {
  Mesh mesh = twoLevels(1, 4);
  Component max = Component::partial(Reduction::Max);
  Transition transition = cheapestTransition({P, P}, {max, B}, {8}, 4, mesh);
  EXPECT_EQ(stepsOf(transition),
            std::vector<std::string>({"all_reduce to [P(max), B]"}));
}

TEST(Transitions, price_single_collectives_by_the_ring_formulas) {
  Mesh mesh{{{"gpu", 4, 1e-6, 1e-9}}};
  TransitionTable table(mesh);
  llvm::SmallVector<int64_t> shape = {64, 64};
  double bytes = 64 * 64 * 4;
  double round = 3 * 1e-6 + 0.75 * bytes * 1e-9;
  EXPECT_DOUBLE_EQ(table.cost({S(0)}, {B}, shape, 4), round);
  EXPECT_DOUBLE_EQ(table.cost({P}, {S(1)}, shape, 4), round);
  EXPECT_DOUBLE_EQ(table.cost({P}, {B}, shape, 4), 2 * round);
  EXPECT_DOUBLE_EQ(table.cost({S(0)}, {S(1)}, shape, 4),
                   3 * 1e-6 + 0.75 * bytes / 4 * 1e-9);
  EXPECT_EQ(table.cost({B}, {S(0)}, shape, 4), 0);
  EXPECT_EQ(table.cost({B}, {P}, shape, 4), 0);
  EXPECT_EQ(table.cost({S(0)}, {P}, shape, 4), 0);
  EXPECT_EQ(table.cost({S(0)}, {S(0)}, shape, 4), 0);
}

TEST(Transitions, price_uneven_parts_by_the_largest) {
  Mesh mesh{{{"gpu", 4, 0, 1e-9}}};
  TransitionTable table(mesh);
  // Parts of 10 rows over 4 ranks have at most 3 rows; columns stay whole.
  EXPECT_DOUBLE_EQ(table.cost({S(0)}, {S(1)}, {10, 8}, 4),
                   0.75 * 3 * 8 * 4 * 1e-9);
}

TEST(Transitions, find_the_hierarchical_all_reduce) {
  TransitionTable table(twoLevels(2, 4));
  EXPECT_EQ(stepsOf(table.path({P, P}, {B, B}, {4096, 4096}, 4)),
            (std::vector<std::string>{"reduce_scatter to [P(sum), S(0)]",
                                      "all_reduce to [B, S(0)]",
                                      "all_gather to [B, B]"}));
}

TEST(Transitions, shrink_before_they_cross_slow_links) {
  TransitionTable table(twoLevels(2, 4));
  EXPECT_EQ(stepsOf(table.path({S(0), B}, {B, S(0)}, {4096, 4096}, 4)),
            (std::vector<std::string>{"slice to [S(0), S(1)]",
                                      "all_gather to [B, S(1)]",
                                      "all_to_all to [B, S(0)]"}));
}

TEST(Transitions, fuse_axes_when_that_is_one_message_less) {
  Mesh mesh{{{"a", 2, 1e-3, 0}, {"b", 2, 1e-3, 0}}};
  TransitionTable table(mesh);
  // A fused gather takes (4-1) alpha; axis by axis it takes 2 (2-1) alpha.
  EXPECT_EQ(table.path({S(0), S(0)}, {B, B}, {8}, 4).steps.size(), 2u);
  // An all-to-all over two axes moves its tile only once when fused.
  Mesh wide{{{"a", 2, 0, 1e-9}, {"b", 2, 0, 1e-9}}};
  TransitionTable fused(wide);
  EXPECT_EQ(stepsOf(fused.path({S(0), S(0)}, {S(1), S(1)}, {8, 8}, 4)),
            (std::vector<std::string>{"all_to_all to [S(1), S(1)]"}));
}

TEST(Transitions, go_over_links_on_which_they_take_ages) {
  for (double slow : {1.0, 1e8, 1e30}) {
    Mesh mesh = {{{"node", 2, slow, slow, {}, 0}, {"gpu", 2, 0, 0, {}, 1}}};
    for (const Placement& from : allPlacements({B, S(0), P}, 2)) {
      Transition transition =
          cheapestTransition(from, {S(0), B}, {1 << 20}, 4, mesh);
      Placement before = from;
      for (const BoxingStep& step : transition.steps) before = step.result;
      EXPECT_EQ(before, (Placement{S(0), B}));
      EXPECT_LE(transition.seconds, 3 * slow * (1 + (4 << 20)));
    }
  }
}

TEST(Transitions, take_the_fewest_steps_of_those_that_cost_the_same) {
  Mesh mesh{{{"a", 2, 0, 0}, {"b", 2, 0, 0}, {"c", 2, 0, 0}}};
  TransitionTable table(mesh);
  EXPECT_EQ(stepsOf(table.path({P, P, P}, {B, B, B}, {8}, 4)),
            (std::vector<std::string>{"all_reduce to [B, B, B]"}));
}

TEST(Transitions, never_step_over_axes_of_one_device) {
  Mesh mesh{{{"one", 1, 1e-6, 1e-9}, {"two", 2, 1e-6, 1e-9}}};
  TransitionTable table(mesh);
  EXPECT_TRUE(table.path({P, B}, {S(0), B}, {8}, 4).steps.empty());
  EXPECT_EQ(stepsOf(table.path({P, P}, {S(0), B}, {8}, 4)),
            (std::vector<std::string>{"all_reduce to [S(0), B]"}));
}

TEST(Transitions, change_the_reduction_through_broadcast) {
  Mesh mesh{{{"a", 2, 1e-6, 1e-9}}};
  TransitionTable table(mesh);
  EXPECT_EQ(
      stepsOf(table.path({P}, {Component::partial(Reduction::Max)}, {8}, 4))
          .size(),
      2u);
}

TEST(Transitions, are_repriced_step_by_step_to_the_same_number) {
  Mesh mesh = twoLevels(2, 4);
  llvm::SmallVector<int64_t> shape = {10, 7};
  auto placements = allPlacements({S(0), S(1), B, P}, 2);
  for (const Placement& from : placements)
    for (const Placement& to : placements) {
      Transition transition = cheapestTransition(from, to, shape, 4, mesh);
      double seconds = 0;
      Placement at = from;
      for (const BoxingStep& step : transition.steps) {
        seconds += stepSeconds(
            step.kind(), step.axes, largestLocalBytes(shape, 4, at, mesh),
            largestLocalBytes(shape, 4, step.result, mesh), mesh);
        at = step.result;
      }
      EXPECT_EQ(seconds, transition.seconds);
      EXPECT_EQ(at, to);
    }
}

// A table of shortest paths obeys the triangle inequality and never charges
// more than a single step.
TEST(Transitions, obey_the_triangle_inequality) {
  for (const Mesh& mesh : {twoLevels(2, 4), twoLevels(3, 2)})
    for (const llvm::SmallVector<int64_t>& shape :
         {llvm::SmallVector<int64_t>{512, 512},
          llvm::SmallVector<int64_t>{10, 7}}) {
      TransitionTable table(mesh);
      auto placements = allPlacements({S(0), S(1), B, P}, 2);
      for (const Placement& a : placements)
        for (const Placement& b : placements)
          for (const Placement& c : placements) {
            // A tensor that is Partial at neither end is never Partial on its
            // way.
            if (has(P, b) && !has(P, a) && !has(P, c)) continue;
            EXPECT_LE(
                table.cost(a, c, shape, 4),
                table.cost(a, b, shape, 4) + table.cost(b, c, shape, 4) + 1e-11)
                << stringOf(a) << " " << stringOf(b) << " " << stringOf(c);
          }
    }
}

// P and B are dual: a step and its mirror cost the same, so the backward pass
// pays as much for an edge as the forward pass. Prices may differ if only one
// transition of a pair of duals may pass through P.
TEST(Transitions, cost_the_same_as_their_duals) {
  TransitionTable table(twoLevels(4, 8));
  auto dual = [](Placement placement) {
    for (Component& component : placement)
      if (component.isBroadcast())
        component = P;
      else if (component.isPartial())
        component = B;
    return placement;
  };
  auto placements = allPlacements({S(0), S(1), B, P}, 2);
  for (const llvm::SmallVector<int64_t>& shape :
       {llvm::SmallVector<int64_t>{64, 64},
        llvm::SmallVector<int64_t>{4096, 4096}})
    for (const Placement& from : placements)
      for (const Placement& to : placements) {
        bool bothMayBePartial =
            (has(P, from) || has(P, to)) && (has(B, from) || has(B, to));
        if (!bothMayBePartial) continue;
        EXPECT_NEAR(table.cost(from, to, shape, 4),
                    table.cost(dual(to), dual(from), shape, 4), 1e-11)
            << stringOf(from) << " -> " << stringOf(to);
      }
}

/// Returns `placement` with the names of axes 1 and 2 exchanged.
Placement renamed(Placement placement) {
  std::swap(placement[1], placement[2]);
  return placement;
}

TEST(Transitions, without_names_cost_no_more_than_under_any_names) {
  Mesh mesh = {{{"node", 3, 2e-5, 8e-11, {}, 0},
                {"gpu.0", 2, 5e-6, 5e-12, {}, 1},
                {"gpu.1", 2, 5e-6, 5e-12, {}, 1}}};
  std::vector<Placement> placements = allPlacements({B, S(0), S(1), P}, 3);
  for (const auto& shape : {std::vector<int64_t>{24, 48}, {7, 5}}) {
    TransitionTable table(mesh);
    int attained = 0, pairs = 0;
    for (const Placement& from : placements)
      for (const Placement& to : placements) {
        double bound = table.bounds().cost(from, to, shape, 4);
        EXPECT_EQ(bound, table.bounds().cost(renamed(from), to, shape, 4));
        EXPECT_EQ(bound, table.bounds().cost(from, renamed(to), shape, 4));
        double least =
            std::min({table.cost(from, to, shape, 4),
                      table.cost(renamed(from), to, shape, 4),
                      table.cost(from, renamed(to), shape, 4),
                      table.cost(renamed(from), renamed(to), shape, 4)});
        EXPECT_LE(bound, least * (1 + 1e-12))
            << stringOf(from) << " to " << stringOf(to);
        attained += bound >= least * (1 - 1e-12);
        ++pairs;
      }
    // A bound that is seldom attained would be useless.
    EXPECT_GT(attained, 0.95 * pairs);
  }
}

TEST(Transitions, are_found_in_well_under_a_millisecond_on_three_axes) {
  Mesh mesh{{{"pod", 4, 5e-5, 1e-10, {}, 0},
             {"node", 8, 2e-5, 8e-11, {}, 1},
             {"gpu", 8, 5e-6, 5e-12, {}, 2}}};
  auto placements = allPlacements({S(0), S(1), B, P}, 3);
  std::clock_t begin = std::clock();  // CPU time of this process
  size_t steps = 0;
  for (const Placement& from : placements)
    for (const Placement& to : placements)
      steps += cheapestTransition(from, to, {16, 96, 2048, 128}, 4, mesh)
                   .steps.size();
  double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  double pairs = static_cast<double>(placements.size() * placements.size());
  EXPECT_GT(steps, 0u);
  RecordProperty("microseconds_per_pair",
                 std::to_string(seconds / pairs * 1e6));
  EXPECT_LT(seconds / pairs, 1e-3);
}

}  // namespace
}  // namespace sbp
