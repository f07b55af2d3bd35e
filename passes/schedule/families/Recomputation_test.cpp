// Which stages of families are recomputed.

#include "passes/schedule/Recomputation.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Table tableOf(const char* family, int64_t depth, int64_t microBatches) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  return *tableOf(family, shape);
}

std::set<int64_t> gains(const char* family, int64_t depth,
                        int64_t microBatches) {
  return stagesThatGain(tableOf(family, depth, microBatches));
}

TEST(StagesThatGain, LeaveOutTheLastStageOf1F1B) {
  EXPECT_THAT(gains("1f1b", 4, 8), ElementsAre(0, 1, 2));
  EXPECT_THAT(gains("1f1b", 1, 8), IsEmpty());
}

TEST(StagesThatGain, AreNoneForOneMicroBatch) {
  EXPECT_THAT(gains("1f1b", 4, 1), IsEmpty());
  EXPECT_THAT(gains("gpipe", 4, 1), IsEmpty());
}

TEST(StagesThatGain, AreAllThatHoldSeveralMicroBatches) {
  EXPECT_THAT(gains("gpipe", 4, 8), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(gains("zb-h1", 4, 8), ElementsAre(0, 1, 2));
}

TEST(StagesThatGain, HoldFewerMicroBatchesOfSavedValuesThanInFlight) {
  for (const Family& family : families()) {
    Shape shape;
    shape.depth = 4;
    shape.microBatches = 8;
    const absl::StatusOr<Table> table = tableOf(family.name, shape);
    if (!table.ok()) continue;
    const std::set<int64_t> stages = stagesThatGain(*table);
    const Table recomputed = withRecomputation(*table, stages);
    EXPECT_TRUE(check(recomputed).ok()) << family.name << check(recomputed);
    std::set<int64_t> gaining;
    for (const auto& ofWorker : slotsOf(recomputed))
      for (const StageSlots& slots : ofWorker) {
        if (stages.count(slots.stage) == 0)
          EXPECT_EQ(slots.recomputed, 0) << family.name;
        else if (slots.recomputed < slots.inFlight)
          gaining.insert(slots.stage);
      }
    EXPECT_EQ(gaining, stages) << family.name;
  }
}

}  // namespace
}  // namespace sbp::schedule
