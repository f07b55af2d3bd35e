#include "runtime/calibration/Prices.h"

#include <cmath>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/calibration/Report.h"

namespace sbp::calibration {
namespace {

using ::testing::HasSubstr;

constexpr Kind kKinds[] = {Kind::kAllReduce, Kind::kAllGather,
                           Kind::kReduceScatter, Kind::kAllToAll};

/// Returns samples of all collectives on the only level of `grid`. `seconds`
/// gives the time for a kind, a number of members and a number of bytes.
std::vector<Sample> sample(
    const Grid& grid,
    const std::function<double(Kind, double, double)>& seconds) {
  std::vector<Sample> samples;
  for (Kind kind : kKinds) {
    for (const GroupSize& group : grid.levels[0].groups) {
      for (int64_t bytes = 1024; bytes <= 1 << 24; bytes *= 2) {
        samples.push_back({0, kind, group.members, bytes,
                           seconds(kind, static_cast<double>(group.members),
                                   static_cast<double>(bytes))});
      }
    }
  }
  return samples;
}

/// Returns the seconds of a ring over links of 10 us and 100 MB/s.
double ring(Kind kind, double members, double bytes) {
  const double round = 1e-5 + bytes / members * 1e-8;
  return (kind == Kind::kAllReduce ? 2 : 1) * (members - 1) * round;
}

double worst(const LevelPrices& level, const std::vector<Sample>& samples) {
  double worst = 0;
  for (const Sample& sample : samples) {
    worst = std::max(worst,
                     std::abs(predict({level}, sample) / sample.seconds - 1));
  }
  return worst;
}

TEST(GridTest, EveryLevelHasGroupsOfAllSuffixProducts) {
  const Grid grid = makeGrid({{"node", 2}, {"rank", 12}});
  ASSERT_EQ(grid.levels.size(), 2u);
  EXPECT_EQ(grid.levels[0].name, "node");
  ASSERT_EQ(grid.levels[0].groups.size(), 1u);
  EXPECT_EQ(grid.levels[0].groups[0].axes, std::vector<int64_t>{0});
  const std::vector<GroupSize>& groups = grid.levels[1].groups;
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].members, 3);
  EXPECT_EQ(groups[1].members, 6);
  EXPECT_EQ(groups[2].members, 12);
  EXPECT_EQ(groups[2].axes, (std::vector<int64_t>{1, 2, 3}));
  int64_t ranks = 1;
  for (const plan::Axis& axis : grid.mesh) ranks *= axis.size;
  EXPECT_EQ(ranks, 24);
}

TEST(GridTest, HostsOfOneRankHaveOneLevel) {
  const Grid grid = makeGrid({{"node", 5}, {"rank", 1}});
  ASSERT_EQ(grid.levels.size(), 1u);
  EXPECT_EQ(grid.levels[0].name, "node");
  EXPECT_EQ(grid.levels[0].groups[0].members, 5);
}

TEST(PricesTest, ARingIsOneLine) {
  const Grid grid = makeGrid({{"node", 1}, {"rank", 8}});
  const auto samples = sample(grid, ring);
  const LevelPrices level = priceLevel(grid.levels[0], samples);
  EXPECT_DOUBLE_EQ(level.line.alpha, 1e-5);
  EXPECT_DOUBLE_EQ(level.line.beta, 1e-8);
  EXPECT_TRUE(level.prices.empty());
  EXPECT_LT(worst(level, samples), 1e-6);
}

TEST(PricesTest, OnlyTheCollectiveThatDiffersHasAPrice) {
  const Grid grid = makeGrid({{"node", 1}, {"rank", 8}});
  const auto samples = sample(grid, [](Kind kind, double p, double n) {
    return ring(kind, p, n) * (kind == Kind::kAllToAll ? 1.5 : 1);
  });
  const LevelPrices level = priceLevel(grid.levels[0], samples);
  ASSERT_EQ(level.prices.size(), 1u);
  EXPECT_EQ(level.prices[0].kind, Kind::kAllToAll);
  EXPECT_EQ(level.prices[0].members, 0);
  EXPECT_LT(worst(level, samples), kTolerance);
}

TEST(PricesTest, MembersThatReadInPlaceHavePricesByGroup) {
  // One latency for any group, and the whole tensor over a member's own bus.
  const Grid grid = makeGrid({{"node", 1}, {"rank", 8}});
  const auto samples = sample(grid, [](Kind kind, double, double n) {
    return (kind == Kind::kAllReduce ? 2 : 1) * (1e-6 + n * 1e-10);
  });
  const LevelPrices level = priceLevel(grid.levels[0], samples);
  ASSERT_EQ(level.prices.size(), 12u);  // four collectives, three groups
  EXPECT_EQ(level.prices[0].members, 2);
  EXPECT_EQ(level.prices[2].members, 8);
  EXPECT_LT(worst(level, samples), 0.001);
}

TEST(PricesTest, AGroupWithoutAPricePaysThatOfTheNextLarger) {
  LevelPrices level{"rank", 8, {1, 0}, {}};
  level.prices = {{Kind::kAllGather, 4, {{0, {2, 0}}}},
                  {Kind::kAllGather, 8, {{0, {3, 0}}}}};
  auto price = [&](Kind kind, int64_t members) {
    return predict({level}, {0, kind, members, 1024, 0}) /
           static_cast<double>(members - 1);
  };
  EXPECT_EQ(price(Kind::kAllGather, 2), 2);
  EXPECT_EQ(price(Kind::kAllGather, 4), 2);
  EXPECT_EQ(price(Kind::kAllGather, 6), 3);
  EXPECT_EQ(price(Kind::kAllGather, 16), 3);
  EXPECT_EQ(price(Kind::kAllToAll, 4), 1);
}

TEST(PricesTest, OverAllLevelsAMessageCostsWhatTheOutermostThatItCrossesDoes) {
  LevelPrices node{"node", 2, {8, 0.5}, {}}, rank{"rank", 2, {1, 2}, {}};
  rank.prices = {{Kind::kAllToAll, 0, {{0, {100, 0}}}}};
  auto price = [&](Kind kind) {
    return predict({node, rank}, {2, kind, 4, 400, 0});
  };
  // Two of the three other members are on the other host.
  EXPECT_EQ(price(Kind::kAllGather), 2 * (8 + 50) + 1 + 200);
  EXPECT_EQ(price(Kind::kAllReduce), 2 * price(Kind::kAllGather));
  EXPECT_EQ(price(Kind::kAllToAll), 2 * (8 + 50) + 100);
}

TEST(ReportTest, ABadFitIsSaidAndAGoodOneIsNot) {
  const Grid grid = makeGrid({{"node", 1}, {"rank", 4}});
  Findings findings;
  findings.samples = sample(grid, ring);
  findings.levels = {priceLevel(grid.levels[0], findings.samples)};
  EXPECT_EQ(badFit(findings), "");
  findings.samples[20].seconds *= 2;
  EXPECT_EQ(qualityOf(findings).numBad, 1);
  EXPECT_NEAR(qualityOf(findings).worstResidual, -0.5, 1e-6);
  EXPECT_THAT(badFit(findings),
              HasSubstr("1 of 120 points are more than 15 % off; the worst is "
                        "all_reduce of 4 over rank, 32768 bytes"));
}

Findings findingsOf(
    const std::function<double(Kind, double, double)>& seconds) {
  const Grid grid = makeGrid({{"node", 1}, {"rank", 4}});
  Findings findings;
  findings.samples = sample(grid, seconds);
  findings.levels = {priceLevel(grid.levels[0], findings.samples)};
  return findings;
}

TEST(ReportTest, APriceThatIsZeroIsSaidHoweverNearThePointsAre) {
  EXPECT_EQ(lostInNoise(findingsOf(ring)), "");
  // Larger messages take slightly less time, by up to 5 %.
  const Findings flat = findingsOf([](Kind kind, double members, double bytes) {
    return ring(kind, members, 0) * (1.05 - 3e-9 * bytes);
  });
  EXPECT_EQ(flat.levels[0].line.beta, 0);
  EXPECT_EQ(badFit(flat), "");
  EXPECT_THAT(lostInNoise(flat), HasSubstr("gives 0 for beta of rank;"));
  EXPECT_THAT(
      toMachine(flat),
      HasSubstr("\n// lost in noise: the measurement gives 0 for beta of "
                "rank"));
  EXPECT_THAT(toJson(flat), HasSubstr("\"lost_in_noise\": 1"));
  // The line of one collective begins below zero.
  const Findings steep =
      findingsOf([](Kind kind, double members, double bytes) {
        return kind == Kind::kAllToAll ? bytes * 1e-7 - 5e-5
                                       : ring(kind, members, bytes);
      });
  EXPECT_THAT(lostInNoise(steep), HasSubstr("alpha of all_to_all"));
  EXPECT_THAT(lostInNoise(steep), HasSubstr("over rank; more sizes"));
}

}  // namespace
}  // namespace sbp::calibration
