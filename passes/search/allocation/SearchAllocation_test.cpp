// The search for allocations: against enumeration, and the chains of the data
// set with known answers.

#include "passes/search/allocation/SearchAllocation.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "passes/search/allocation/ChainFiles.h"
#include "passes/search/allocation/ContiguousCut.h"
#include "passes/search/allocation/SchedulePattern.h"
#include "passes/search/allocation/SpecialProcessor.h"
#include "passes/search/allocation/testing/Enumerate.h"

namespace sbp::search {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::string textOfFile(const std::string& name) {
  std::ifstream file("passes/search/allocation/testing/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns syn20 on some processors of some gigabytes, with links of 12 GB/s.
ChainProblem syn20(int64_t processors, double gigabytes) {
  ChainProblem problem;
  problem.chain = readChain(textOfFile("syn20.json"), std::nullopt)->chain;
  problem.processors = processors;
  problem.memory = 1e9 * gigabytes;
  problem.bandwidth = 12e6;
  return problem;
}

AllocationAnswer answerOf(const ChainProblem& problem) {
  AllocationTuning tuning;
  tuning.movesPerDescent = 20000;
  return searchAllocation(problem, tuning, SearchRun());
}

/// Returns the least period of all allocations; infinite if none fits.
double leastPeriodOf(const ChainProblem& problem) {
  const StageCosts costs(problem);
  double best = kNever;
  forEachAllocation(problem.chain.numLayers(), problem.processors,
                    [&](const Allocation& allocation) {
                      const ScheduledAllocation found =
                          schedulePattern(costs, allocation, best, 1'000'000);
                      if (found.pattern)
                        best = std::min(best, found.pattern->period);
                    });
  return best;
}

TEST(SearchAllocationTest, ProvesTheBestOfAllAllocationsOfSmallChains) {
  std::mt19937 random(4);
  AllocationTuning tuning;
  tuning.movesPerDescent = 100;
  int64_t numBetter = 0, numNever = 0;
  for (int i = 0; i < 200; ++i) {
    const ChainProblem problem = randomChainProblem(6, random);
    const double best = leastPeriodOf(problem);
    const AllocationAnswer answer =
        searchAllocation(problem, tuning, SearchRun());
    if (std::isinf(best)) {
      ++numNever;
      EXPECT_FALSE(answer.best) << i;
      EXPECT_EQ(answer.bound, kNever) << i;
      continue;
    }
    ASSERT_TRUE(answer.best) << i;
    EXPECT_TRUE(problem.verify(*answer.best).ok()) << i;
    EXPECT_NEAR(answer.best->period, best, 1e-6 * best) << i;
    EXPECT_TRUE(answer.isProven()) << i;
    if (answer.contiguous)
      numBetter += best < answer.contiguous->period * (1 - 1e-6);
  }
  EXPECT_GT(numBetter, 5);
  EXPECT_GT(numNever, 5);
}

TEST(SearchAllocationTest, FindsMostOfThemByBoundsAndDescentsAlone) {
  std::mt19937 random(7);
  AllocationTuning tuning;
  tuning.firstAllocations.nodes = 0;
  tuning.movesPerDescent = 1000;
  tuning.maxDescents = 56;
  int64_t number = 0, numBest = 0;
  for (int i = 0; i < 100; ++i) {
    const ChainProblem problem = randomChainProblem(6, random);
    const double best = leastPeriodOf(problem);
    const AllocationAnswer answer =
        searchAllocation(problem, tuning, SearchRun());
    if (std::isinf(best)) {
      EXPECT_FALSE(answer.best) << i;
      continue;
    }
    EXPECT_LE(answer.bound, best * (1 + 1e-6)) << i;
    ASSERT_TRUE(answer.best) << i;
    EXPECT_GE(answer.best->period, best * (1 - 1e-6)) << i;
    if (answer.contiguous) {
      EXPECT_LE(answer.best->period, answer.contiguous->period) << i;
    }
    ++number;
    numBest += answer.best->period <= best * (1 + 1e-6);
  }
  EXPECT_GT(number, 50);
  EXPECT_GT(numBest, number * 9 / 10);
}

TEST(SearchAllocationTest, Syn20OnFourProcessorsOf8GbIsProven) {
  const ChainProblem problem = syn20(4, 8);
  const AllocationAnswer answer = answerOf(problem);
  EXPECT_NEAR(answer.contiguous->period, 191.333333, 1e-5);
  EXPECT_NEAR(answer.pipeDreamPeriod, 168, 1e-9);
  EXPECT_LE(answer.best->period, 157);
  EXPECT_GE(answer.bound, 153.7);
  EXPECT_TRUE(answer.isProven());
  EXPECT_TRUE(problem.verify(*answer.best).ok());
}

TEST(SearchAllocationTest, Syn20OnEightProcessorsOf8GbIsProven) {
  const ChainProblem problem = syn20(8, 8);
  const AllocationAnswer answer = answerOf(problem);
  EXPECT_NEAR(answer.contiguous->period, 122, 1e-5);
  EXPECT_NEAR(answer.best->period, 108.666667, 1e-5);
  EXPECT_TRUE(answer.isProven());
}

TEST(SearchAllocationTest, ABoundAloneProvesACutOfSyn20) {
  const AllocationAnswer answer = answerOf(syn20(8, 4));
  EXPECT_NEAR(answer.best->period, 287.666667, 1e-5);
  EXPECT_TRUE(answer.isProven());
  EXPECT_EQ(answer.descents, 0);
}

TEST(SearchAllocationTest, SaysThatNothingFits) {
  const AllocationAnswer answer = answerOf(syn20(2, 1));
  EXPECT_FALSE(answer.best);
  EXPECT_EQ(answer.bound, kNever);
}

TEST(SearchAllocationTest, EqualProblemsHaveEqualAnswers) {
  std::mt19937 random(5);
  AllocationTuning tuning;
  tuning.movesPerDescent = 200;
  tuning.maxDescents = 10;
  for (int i = 0; i < 10; ++i) {
    const ChainProblem problem = randomChainProblem(8, random);
    const auto first = searchAllocation(problem, tuning, SearchRun());
    const auto second = searchAllocation(problem, tuning, SearchRun());
    ASSERT_EQ(first.best.has_value(), second.best.has_value());
    if (!first.best) continue;
    EXPECT_EQ(first.best->allocation, second.best->allocation);
    EXPECT_EQ(first.best->period, second.best->period);
    EXPECT_EQ(first.bound, second.bound);
  }
}

TEST(SearchAllocationTest, HasAValidAnswerWhenTheTimeIsOver) {
  const ChainProblem problem = syn20(4, 8);
  const AllocationAnswer answer =
      searchAllocation(problem, AllocationTuning(), SearchRun({/*seconds=*/0}));
  ASSERT_TRUE(answer.best);
  EXPECT_TRUE(problem.verify(*answer.best).ok());
  EXPECT_LE(answer.best->period, answer.contiguous->period);
}

TEST(MadPipeTest, PublishedModelGivesTheKnownAnswersOfTinyChains) {
  const std::string text = textOfFile("tiny.json");
  const auto instances = nlohmann::json::parse(text);
  // Without grids, and to the last digit.
  const SpecialProcessorGrids exact = {0, 0, 0, 60};
  for (size_t i = 0; i < instances.size(); ++i) {
    const auto file = readChain(text, i);
    ASSERT_TRUE(file.ok());
    ChainProblem problem;
    problem.chain = file->chain;
    problem.processors = *file->processors;
    problem.memory = *file->memory;
    problem.bandwidth = *file->bandwidth;
    ASSERT_TRUE(problem.check().ok());
    const StageCosts costs(problem);
    auto expect = [&](const char* name, double found) {
      EXPECT_NEAR(found, instances[i][name].get<double>(), 1e-5) << name << i;
    };
    expect("contig_optimal", bestContiguous(costs)->period);
    const Allocation cut = *pipeDreamCut(costs, InFlight::kOnePerProcessor);
    expect("pipedream_dp", busiestOf(costs, cut));
    EXPECT_NEAR(bestOneForwardOneBackward(costs, cut)->period,
                instances[i]["pipedream_valid_possible"][0].get<double>(),
                1e-5);
    expect("madpipe_dp",
           specialProcessorAt(costs, instances[i]["T_hat"].get<double>(),
                              kNever, exact, SearchRun())
               ->period);
    expect("madpipe_phase1_opt",
           bestSpecialProcessor(costs, exact, kNever, SearchRun())->period);
  }
}

TEST(MadPipeTest, PublishedModelGivesTheKnownAnswersOfSyn20) {
  const SpecialProcessorGrids exact = {0, 0, 0, 60};
  const std::tuple<int64_t, double, double> answers[] = {
      {4, 4, 272.666666}, {4, 8, 174},        {4, 12, 162},
      {8, 4, 249.333333}, {8, 8, 108.666666}, {8, 12, 90}};
  for (const auto& [processors, gigabytes, period] : answers) {
    const ChainProblem problem = syn20(processors, gigabytes);
    const StageCosts costs(problem);
    EXPECT_NEAR(bestSpecialProcessor(costs, exact, kNever, SearchRun())->period,
                period, 1e-5);
    // Grids are rounded up, so the promise is never shorter.
    const auto rounded = bestSpecialProcessor(costs, {}, kNever, SearchRun());
    ASSERT_TRUE(rounded);
    EXPECT_GE(rounded->period, period * (1 - 1e-6));
  }
}

}  // namespace
}  // namespace sbp::search
