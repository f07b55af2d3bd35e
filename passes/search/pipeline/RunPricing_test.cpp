// Prices of runs of units are lower bounds, and fronts have all ways, compared
// with enumeration.

#include "passes/search/pipeline/RunPricing.h"

#include <algorithm>
#include <limits>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/pipeline/SearchedCase.h"
#include "passes/search/pipeline/StageWindows.h"
#include "passes/search/pipeline/testing/RandomProblem.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Returns all ways to run `run`.
std::vector<StageWay> allWays(const SearchedCase& searched, const StageRun& run,
                              const FrontKind& kind) {
  std::vector<StageWay> ways;
  std::vector<int64_t> options(run.end - run.begin, 0);
  for (size_t next = 0; next < options.size();) {
    ways.push_back(wayOf(searched.problem, searched.ofCase, searched.boundaries,
                         run, kind, options));
    for (next = 0; next < options.size(); ++next) {
      const auto number = static_cast<int64_t>(
          searched.problem
              .optionsOf(searched.ofCase,
                         run.begin + static_cast<int64_t>(next))
              .size());
      if (++options[next] < number) break;
      options[next] = 0;
    }
  }
  return ways;
}

TEST(RunPricing, IsNeverAboveTheLeastTimeThatFits) {
  std::mt19937 random(11);
  RandomSize size;
  size.mostUnits = 7;
  size.mostKinds = 2;
  size.mostOptions = 3;
  const JointSearchTuning tuning;
  double sumOfBounds = 0, sumOfLeast = 0;
  for (int i = 0; i < 300; ++i) {
    const JointProblem problem = randomProblem(size, random);
    SearchWork work;
    const UnitRuns runs(problem.kinds);
    SearchedCase searched(problem, 0, runs, tuning, work);
    StageRun run;
    run.begin = static_cast<int64_t>(random() % problem.numUnits());
    run.end = run.begin + 1 +
              static_cast<int64_t>(random() % (problem.numUnits() - run.begin));
    const auto numBoundaries = searched.boundaries.all.size();
    if (run.begin > 0)
      run.before = static_cast<int64_t>(random() % numBoundaries);
    if (run.end < problem.numUnits())
      run.after = static_cast<int64_t>(random() % numBoundaries);
    const FrontKind kind = {{static_cast<double>(1 + random() % 4),
                             static_cast<double>(random() % 3),
                             static_cast<double>(1 + random() % 2)},
                            false,
                            false};
    const TimeWeights weights = {8, 8, static_cast<double>(random() % 9), 1};
    const int64_t weightsNumber = searched.prices.addWeights(weights);
    const int64_t loadNumber = searched.prices.addLoad(kind.load);

    double least = kInfinite, leastAt = kInfinite;
    for (const StageWay& way : allWays(searched, run, kind)) {
      leastAt = std::min(leastAt, weights.of(way) + 0.7 * way.bytes);
      if (way.bytes + way.transient <= problem.room())
        least = std::min(least, weights.of(way));
    }
    const double low = searched.prices.low(run, weightsNumber, loadNumber);
    EXPECT_LE(low, least * (1 + 1e-12)) << i;
    if (leastAt < kInfinite) {
      EXPECT_NEAR(searched.prices.lowAt(run, weightsNumber, loadNumber, 0.7),
                  leastAt, 1e-9 * leastAt);
    }
    const StageFront* front = searched.fronts.exact(run, kind);
    ASSERT_TRUE(front);
    if (least == kInfinite) {
      EXPECT_TRUE(front->ways.empty());
      continue;
    }
    EXPECT_NEAR(front->least(weights), least, 1e-9 * least) << i;
    for (const StageWay& way : front->ways)
      EXPECT_TRUE(way.bytes + way.transient <= problem.room());
    for (const StageWay& way :
         searched.fronts.near(run, kind, 8, problem.memory).ways)
      EXPECT_TRUE(way.bytes + way.transient <= problem.room());
    sumOfBounds += low;
    sumOfLeast += least;
  }
  EXPECT_GE(sumOfBounds, 0.98 * sumOfLeast);
}

TEST(RunPricing, OfManyEqualUnitsIsThatOfEachUnitInTurn) {
  std::mt19937 random(13);
  RandomSize size;
  size.mostKinds = 1;
  size.mostOptions = 4;
  size.mostLayouts = 3;
  const JointSearchTuning tuning;
  for (int i = 0; i < 50; ++i) {
    JointProblem problem = randomProblem(size, random);
    problem.kinds.assign(200, 0);
    // The same units as kinds of their own: nothing repeats.
    JointProblem distinct = problem;
    const std::vector<UnitOption> options = problem.cases[0].options[0];
    distinct.cases[0].options.assign(200, options);
    for (int64_t unit = 0; unit < 200; ++unit) distinct.kinds[unit] = unit;
    double prices[2];
    for (const JointProblem* each : {&problem, &distinct}) {
      SearchWork work;
      const UnitRuns runs(each->kinds);
      SearchedCase searched(*each, 0, runs, tuning, work);
      prices[each == &distinct] = searched.prices.lowAt(
          {0, 200}, searched.prices.addWeights({1, 1, 1, 0.1}),
          searched.prices.addLoad({}), 0.01 * i);
    }
    EXPECT_NEAR(prices[0], prices[1], 1e-9 * prices[1]);
  }
}

TEST(UnitRuns, AreLikeTheFirstRunOfTheSameKinds) {
  const UnitRuns runs({0, 1, 2, 1, 2, 1, 3});
  EXPECT_EQ(runs.firstLike(3, 6), 1);  // 1 2 1
  EXPECT_EQ(runs.firstLike(5, 6), 1);  // 1
  EXPECT_EQ(runs.firstLike(4, 7), 4);  // 2 1 3
  EXPECT_EQ(runs.endOfKind(2), 3);
  EXPECT_EQ(UnitRuns({0, 0, 0}).endOfKind(0), 3);
}

TEST(StageWindows, HaveTheBeginsOfAllCuts) {
  std::mt19937 random(17);
  for (int i = 0; i < 200; ++i) {
    const int64_t numUnits = 1 + random() % 8;
    const int64_t numStages = 1 + random() % 4;
    const auto most = static_cast<int64_t>(1 + random() % 4);
    std::vector<int64_t> sizes(numUnits);
    for (int64_t& size : sizes) size = 1 + random() % 2;
    const auto canBe = [&](int64_t stage, int64_t begin, int64_t end) {
      int64_t sum = 0;
      for (int64_t unit = begin; unit < end; ++unit) sum += sizes[unit];
      return sum <= most + stage % 2;
    };
    // All begins of cuts, stage by stage.
    std::vector<std::vector<bool>> reached(
        numStages + 1, std::vector<bool>(numUnits + 1, false));
    auto leaves = reached;
    reached[0][0] = leaves[numStages][numUnits] = true;
    for (int64_t stage = 0; stage < numStages; ++stage)
      for (int64_t begin = 0; begin < numUnits; ++begin)
        for (int64_t end = begin + 1; end <= numUnits; ++end)
          if (reached[stage][begin] && canBe(stage, begin, end))
            reached[stage + 1][end] = true;
    for (int64_t stage = numStages; stage-- > 0;)
      for (int64_t begin = 0; begin < numUnits; ++begin)
        for (int64_t end = begin + 1; end <= numUnits; ++end)
          if (leaves[stage + 1][end] && canBe(stage, begin, end))
            leaves[stage][begin] = true;
    const auto windows = stageWindows(numStages, numUnits, canBe);
    for (int64_t stage = 0; stage <= numStages; ++stage)
      for (int64_t begin = 0; begin <= numUnits; ++begin)
        if (reached[stage][begin] && leaves[stage][begin])
          EXPECT_TRUE(windows[stage].has(begin)) << i;
    EXPECT_EQ(windows[0].has(0), leaves[0][0]) << i;
  }
}

}  // namespace
}  // namespace sbp::search
