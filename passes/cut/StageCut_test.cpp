// The best cut of a chain, compared with all cuts.

#include "passes/cut/StageCut.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp {
namespace {

using ::testing::ElementsAre;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Returns a chain of units that take the given seconds. Each keeps one
/// persistent byte, and one byte of activations.
UnitChain chainOf(const std::vector<double>& seconds, int64_t numStages) {
  UnitChain chain;
  chain.plans.resize(1);
  for (double each : seconds)
    chain.plans[0].push_back({each, {{1, -1}}, {}, {{1, -1}}, 0});
  chain.transfers.assign(numStages - 1, std::vector<double>(seconds.size(), 0));
  chain.loads.resize(numStages);
  return chain;
}

TEST(StageCut, GivesALongUnitFewNeighbours) {
  UnitChain chain = chainOf({2, 1, 1, 1, 3}, 2);
  chain.transfers[0] = {0, 1, 1, 1, 1};
  const StageCut cut = *cheapestCut(chain, kNoLimit);
  EXPECT_THAT(cut.begins, ElementsAre(0, 3));
  EXPECT_EQ(cut.seconds, 5);
}

TEST(StageCut, TakesTheOneOfSeveralThatSendsLeast) {
  UnitChain chain = chainOf({1, 1, 4}, 2);
  chain.transfers[0] = {0, 0, 0};
  EXPECT_THAT(cheapestCut(chain, kNoLimit)->begins, ElementsAre(0, 2));
  UnitChain three = chainOf({2, 2, 2, 9}, 3);
  three.transfers[0] = {0, 0.75, 0.5, 0.75};
  EXPECT_THAT(cheapestCut(three, kNoLimit)->begins, ElementsAre(0, 2, 3));
}

TEST(StageCut, GivesTheFirstStageLessWhereItStashesMore) {
  UnitChain chain = chainOf({1, 1, 1, 1, 1, 1}, 2);
  chain.loads[0].inFlight = 2;
  // Three units: 3 + 2 x 3 in the first stage, 3 + 3 in the second.
  EXPECT_THAT(cheapestCut(chain, 9)->begins, ElementsAre(0, 3));
  EXPECT_THAT(cheapestCut(chain, 8)->begins, ElementsAre(0, 2));
  EXPECT_EQ(leastMemory(chain).bytes(), 8);
  EXPECT_FALSE(cheapestCut(chain, 7));
}

TEST(StageCut, NamesWhatTakesTheLeastMemory) {
  UnitChain chain = chainOf({1, 1, 1, 1, 1, 1}, 2);
  chain.loads[0].inFlight = 2;
  for (UnitPrice& unit : chain.plans[0]) unit.weights = {{0.25, -1}};
  const StageMemory least = leastMemory(chain);
  EXPECT_EQ(least.stage, 1);
  EXPECT_EQ(least.begin, 2);
  EXPECT_EQ(least.end, 6);
  EXPECT_EQ(least.weights, 1);
  EXPECT_EQ(least.state, 3);
  EXPECT_EQ(least.activations, 4);
  EXPECT_EQ(least.inFlight, 1);
}

TEST(StageCut, CountsEachCopyOfWeights) {
  UnitChain chain = chainOf({1, 1, 1, 1}, 2);
  for (UnitPrice& unit : chain.plans[0]) unit.weights = {{1, -1}};
  EXPECT_EQ(leastMemory(chain).bytes(), 4);
  chain.loads[1].copies = 3;
  // Three units in the first stage: 3 + 3. One unit with two more copies of its
  // weights in the second: 1 + 2 + 1.
  EXPECT_THAT(cheapestCut(chain, 6)->begins, ElementsAre(0, 3));
  EXPECT_EQ(leastMemory(chain).bytes(), 6);
}

TEST(StageCut, CountsATensorOnceThatTwoUnitsOfAStageKeep) {
  UnitChain chain = chainOf({1, 1, 1}, 1);
  chain.plans[0][2].persistent = {{100, 0}};
  EXPECT_EQ(leastMemory(chain).bytes(), 5);
  chain.transfers.assign(1, {0, 0, 0});
  chain.loads.resize(2);
  EXPECT_EQ(leastMemory(chain).bytes(), 4 + 97);
}

TEST(StageCut, TakesASlowerPlanOnlyWhereTheFastOneDoesNotFit) {
  UnitChain chain = chainOf({2, 2}, 2);
  chain.plans.push_back(chain.plans[0]);
  for (UnitPrice& unit : chain.plans[1]) unit = {3, {{0.5, -1}}, {}, {}, 0};
  EXPECT_EQ(cheapestCut(chain, 2)->seconds, 2);
  EXPECT_EQ(cheapestCut(chain, 1)->seconds, 3);
}

/// The time and memory of one cut, computed as the comments in StageCut.h
/// define them.
class ReferenceCut {
 public:
  ReferenceCut(const UnitChain& chain, std::vector<int64_t> begins)
      : chain_(chain), begins_(std::move(begins)) {}

  double seconds(double memoryBytes) const {
    double busiest = 0;
    for (size_t stage = 0; stage < begins_.size(); ++stage) {
      double fastest = kNoLimit;
      for (const auto& plan : chain_.plans)
        if (bytes(plan, stage) <= memoryBytes) {
          double all = 0;
          for (int64_t unit = begins_[stage]; unit < end(stage); ++unit)
            all += plan[unit].seconds;
          fastest = std::min(fastest, all);
        }
      if (stage > 0) fastest += transfer(stage);
      if (stage + 1 < begins_.size()) fastest += transfer(stage + 1);
      busiest = std::max(busiest, fastest);
    }
    return busiest;
  }

  double transfers() const {
    double all = 0;
    for (size_t stage = 1; stage < begins_.size(); ++stage)
      all += transfer(stage);
    return all;
  }

  double leastBytes() const {
    double most = 0;
    for (size_t stage = 0; stage < begins_.size(); ++stage) {
      double least = kNoLimit;
      for (const auto& plan : chain_.plans)
        least = std::min(least, bytes(plan, stage));
      most = std::max(most, least);
    }
    return most;
  }

 private:
  int64_t end(size_t stage) const {
    return stage + 1 < begins_.size() ? begins_[stage + 1] : chain_.numUnits();
  }
  double transfer(size_t stage) const {
    return chain_.transfers[stage - 1][begins_[stage]];
  }

  /// A tensor is identified by the first unit that keeps it and its index
  /// there.
  using Tensor = std::pair<int64_t, size_t>;
  using Kept = std::vector<KeptTensor> UnitPrice::*;

  static double keptBytes(const std::vector<UnitPrice>& plan, Kept kept,
                          int64_t begin, int64_t end) {
    std::set<Tensor> known;
    double bytes = 0;
    for (int64_t unit = begin; unit < end; ++unit)
      for (size_t i = 0; i < (plan[unit].*kept).size(); ++i) {
        int64_t first = unit;
        while ((plan[first].*kept)[i].keptBefore >= 0)
          first = (plan[first].*kept)[i].keptBefore;
        if (known.insert({first, i}).second)
          bytes += (plan[unit].*kept)[i].bytes;
      }
    return bytes;
  }

  double bytes(const std::vector<UnitPrice>& plan, size_t stage) const {
    const StageLoad& load = chain_.loads[stage];
    double transient = 0;
    for (int64_t unit = begins_[stage]; unit < end(stage); ++unit)
      transient = std::max(transient, plan[unit].transientBytes);
    const auto kept = [&](std::vector<KeptTensor> UnitPrice::* of) {
      return keptBytes(plan, of, begins_[stage], end(stage));
    };
    return kept(&UnitPrice::persistent) +
           (load.copies - 1) * kept(&UnitPrice::weights) +
           load.inFlight * kept(&UnitPrice::activations) + transient;
  }

  const UnitChain& chain_;
  std::vector<int64_t> begins_;
};

/// Calls `visit` with every cut.
void forEachCut(const UnitChain& chain,
                const std::function<void(const ReferenceCut&)>& visit) {
  std::vector<int64_t> begins = {0};
  std::function<void()> extend = [&] {
    if (static_cast<int64_t>(begins.size()) == chain.numStages())
      return visit(ReferenceCut(chain, begins));
    for (int64_t next = begins.back() + 1; next < chain.numUnits(); ++next) {
      begins.push_back(next);
      extend();
      begins.pop_back();
    }
  };
  extend();
}

class RandomChain {
 public:
  explicit RandomChain(unsigned seed) : random_(seed) {}

  /// Returns a random chain. All numbers are small integers, so that sums are
  /// exact.
  UnitChain chain() {
    UnitChain chain;
    const int64_t units = upTo(9), stages = upTo(std::min<int64_t>(units, 4));
    for (int64_t stage = 0; stage < stages; ++stage)
      chain.loads.push_back(
          {static_cast<double>(upTo(5)), static_cast<double>(upTo(3))});
    chain.plans.resize(upTo(2));
    for (auto& plan : chain.plans) plan.resize(units);
    for (auto& plan : chain.plans)
      for (UnitPrice& unit : plan) {
        unit.seconds = static_cast<double>(upTo(20));
        unit.transientBytes = static_cast<double>(upTo(10));
      }
    keep(chain, &UnitPrice::persistent);
    keep(chain, &UnitPrice::weights);
    keep(chain, &UnitPrice::activations);
    chain.transfers.assign(stages - 1, std::vector<double>(units));
    for (auto& afterStage : chain.transfers)
      for (double& seconds : afterStage)
        seconds = static_cast<double>(upTo(8) - 1);
    return chain;
  }

  int64_t upTo(int64_t most) {
    return std::uniform_int_distribution<int64_t>(1, most)(random_);
  }

 private:
  /// Adds two tensors per unit, each of which is new or kept by an earlier
  /// unit.
  void keep(UnitChain& chain, std::vector<KeptTensor> UnitPrice::* kept) {
    for (int place = 0; place < 2; ++place) {
      std::vector<int64_t> last;  // unit that keeps each tensor
      for (int64_t unit = 0; unit < chain.numUnits(); ++unit) {
        size_t tensor = upTo(static_cast<int64_t>(last.size()) + 1) - 1;
        bool isNew = tensor == last.size() || upTo(2) == 1;
        if (isNew) tensor = last.size();
        if (isNew) last.push_back(-1);
        for (auto& plan : chain.plans) {
          double bytes = isNew ? static_cast<double>(upTo(10))
                               : (plan[last[tensor]].*kept)[place].bytes;
          (plan[unit].*kept).push_back({bytes, last[tensor]});
        }
        last[tensor] = unit;
      }
    }
  }

  std::mt19937 random_;
};

TEST(StageCut, IsTheBestOfAllCutsOfRandomChains) {
  int numFitting = 0, numSlowed = 0, numImpossible = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomChain random(seed);
    const UnitChain chain = random.chain();
    double least = kNoLimit, free = kNoLimit;
    forEachCut(chain, [&](const ReferenceCut& cut) {
      least = std::min(least, cut.leastBytes());
      free = std::min(free, cut.seconds(kNoLimit));
    });
    EXPECT_EQ(leastMemory(chain).bytes(), least);
    EXPECT_EQ(cheapestCut(chain, kNoLimit)->seconds, free);

    // The limit is a little below or above the least memory.
    const double limit = least - 3 + static_cast<double>(random.upTo(30));
    double seconds = kNoLimit, transfers = kNoLimit;
    forEachCut(chain, [&](const ReferenceCut& cut) {
      std::pair<double, double> cost(cut.seconds(limit), cut.transfers());
      std::tie(seconds, transfers) =
          std::min(cost, std::pair(seconds, transfers));
    });
    auto found = cheapestCut(chain, limit);
    ASSERT_EQ(found.has_value(), seconds < kNoLimit);
    if (!found) {
      ++numImpossible;
      continue;
    }
    ++numFitting;
    numSlowed += seconds > free;
    EXPECT_EQ(found->seconds, seconds);
    const ReferenceCut cut(chain, found->begins);
    EXPECT_EQ(cut.seconds(limit), seconds);
    EXPECT_EQ(cut.transfers(), transfers);
  }
  // Some chains fit, some get slower by the limit, and some are impossible.
  EXPECT_GT(numFitting, 100);
  EXPECT_GT(numSlowed, 30);
  EXPECT_GT(numImpossible, 10);
}

}  // namespace
}  // namespace sbp
