// What is unsound about a problem, or infeasible about a plan, is said in
// words.

#include "passes/search/pipeline/JointProblem.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two layers of 1 + 2 seconds on two workers, with two micro-batches. A layer
/// holds 10 bytes, and 1 per micro-batch in flight.
JointProblem twoLayers() {
  UnitOption option;
  option.forward = 1;
  option.input = option.weight = 1;
  option.once = 0.5;
  option.held = 10;
  option.stash = 1;
  option.transient = 3;
  JointProblem problem;
  problem.kinds = {0, 0};
  JointCase& ofCase = problem.cases.emplace_back();
  ofCase.shape = "2x8";
  ofCase.workers = 2;
  ofCase.microBatches = 2;
  ofCase.options = {{option}};
  ofCase.move = {{0}};
  ofCase.cut = {{{0.25, 0}}};
  problem.families.emplace_back().name = "1f1b";
  problem.memory = 15;
  return problem;
}

JointPlan onePerStage() {
  JointPlan plan;
  plan.ends = {1, 2};
  plan.options = {0, 0};
  return plan;
}

TEST(JointProblem, PricesAPlanByItsTable) {
  const auto cost = twoLayers().verify(onePerStage());
  ASSERT_TRUE(cost.ok()) << cost.status();
  // (N + D - 1) times a forward and a backward, each with a transfer, and the
  // update.
  EXPECT_DOUBLE_EQ(cost->seconds, 3 * 3.5 + 0.5);
  EXPECT_THAT(cost->bytes, ElementsAre(15, 14));
}

TEST(JointProblem, AddsDelaysToTheWay) {
  JointProblem problem = twoLayers();
  problem.cases[0].cut[0][0].delay = 0.1;
  const auto cost = problem.verify(onePerStage());
  ASSERT_TRUE(cost.ok()) << cost.status();
  EXPECT_NEAR(cost->seconds, 3 * 3.5 + 0.5 + 0.2, 1e-12);
}

template <typename Change>
std::string checkAfter(Change change) {
  JointProblem problem = twoLayers();
  EXPECT_TRUE(problem.check().ok()) << problem.check();
  change(problem);
  return std::string(problem.check().message());
}

TEST(JointProblem, SaysWhatIsNotSound) {
  EXPECT_EQ(checkAfter([](JointProblem& p) { p.kinds.clear(); }),
            "there are no units; 1 is needed");
  EXPECT_EQ(checkAfter([](JointProblem& p) { p.kinds[1] = 1; }),
            "case 0 (2x8) has options of 1 kinds; a unit is of kind 1");
  EXPECT_EQ(checkAfter([](JointProblem& p) { p.memory = -1; }),
            "the memory has -1 bytes; it is finite, and 0 or more");
  EXPECT_THAT(checkAfter([](JointProblem& p) { p.families[0].name = "2f2b"; }),
              HasSubstr("there is no family '2f2b'; there are gpipe, 1f1b"));
  EXPECT_EQ(
      checkAfter([](JointProblem& p) { p.families[0].isRecomputed = true; }),
      "1f1b has recompute = true; here, recomputation is an option of a "
      "unit");
  EXPECT_EQ(
      checkAfter([](JointProblem& p) { p.cases[0].options[0][0].layout = 1; }),
      "case 0 (2x8) option 0 of kind 0 has layout 1; `move` has 1 "
      "layouts");
  EXPECT_EQ(checkAfter([](JointProblem& p) {
              p.cases[0].options[0][0].once =
                  std::numeric_limits<double>::quiet_NaN();
            }),
            "case 0 (2x8) option 0 of kind 0 has nan; times and bytes are "
            "finite, and 0 or more");
  EXPECT_EQ(checkAfter([](JointProblem& p) { p.cases[0].cut.clear(); }),
            "case 0 (2x8) `cut` has 0 rows; `move` has 1 layouts");
  EXPECT_EQ(checkAfter([](JointProblem& p) { p.cases[0].chunks = 0; }),
            "case 0 (2x8) has 2 workers, 0 chunks and 2 micro-batches; 1 or "
            "more of each are needed");
}

template <typename Change>
std::string verifyAfter(Change change) {
  JointProblem problem = twoLayers();
  JointPlan plan = onePerStage();
  change(problem, plan);
  return std::string(problem.verify(plan).status().message());
}

TEST(JointProblem, SaysWhyAPlanIsRefused) {
  EXPECT_EQ(verifyAfter([](auto& problem, auto&) { problem.memory = 14; }),
            "worker 0 needs 15 bytes; a device has 14");
  EXPECT_EQ(verifyAfter([](auto&, auto& plan) { plan.ends = {2}; }),
            "the plan has 1 stages; the case has 2");
  EXPECT_EQ(verifyAfter([](auto&, auto& plan) { plan.ends = {2, 2}; }),
            "stage 1 of the plan has no unit");
  EXPECT_EQ(verifyAfter([](auto&, auto& plan) { plan.options[1] = 1; }),
            "the plan chooses option 1 of 1");
  EXPECT_EQ(verifyAfter([](auto& problem, auto&) {
              problem.families[0].name = "zb-v";
              problem.cases[0].microBatches = 3;
            }),
            "zb-v has 4 stages on 2 workers; the case has 1 chunks per worker, "
            "so 2 stages");
  EXPECT_THAT(verifyAfter([](auto& problem, auto&) {
                problem.families[0].name = "zb-h2";
              }),
              HasSubstr("zb-h2 needs N >= 2D-1 = 3 micro-batches"));
}

}  // namespace
}  // namespace sbp::search
