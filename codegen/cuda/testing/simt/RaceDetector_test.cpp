// Tests of the detection of data races.

#include "codegen/cuda/testing/simt/RaceDetector.h"

#include "gtest/gtest.h"

namespace sbp::cuda::simt {
namespace {

constexpr bool kLoad = false, kStore = true;

Accessor thread(int32_t number, int32_t interval, int32_t block = 0) {
  return {block, number, interval};
}

class RaceDetectorTest : public testing::Test {
 protected:
  bool isRace(bool isStore, const Accessor& by) {
    return detector_.note(0, 4, isStore, by).has_value();
  }

  RaceDetector detector_{RaceDetector::Memory::Global, 8};
};

TEST_F(RaceDetectorTest, LoadsNeedNoOrder) {
  EXPECT_FALSE(isRace(kLoad, thread(0, 0)));
  EXPECT_FALSE(isRace(kLoad, thread(1, 0)));
  EXPECT_FALSE(isRace(kLoad, thread(1, 0, /*block=*/1)));
}

TEST_F(RaceDetectorTest, AThreadIsInOrderWithItself) {
  EXPECT_FALSE(isRace(kStore, thread(0, 0)));
  EXPECT_FALSE(isRace(kLoad, thread(0, 0)));
  EXPECT_FALSE(isRace(kStore, thread(0, 0)));
}

TEST_F(RaceDetectorTest, AStoreNeedsABarrierBeforeALoad) {
  EXPECT_FALSE(isRace(kStore, thread(0, 0)));
  EXPECT_TRUE(isRace(kLoad, thread(1, 0)));
  EXPECT_FALSE(isRace(kLoad, thread(1, 1)));
  const auto other = detector_.note(0, 4, kStore, thread(0, 1));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->thread, 1);
}

TEST_F(RaceDetectorTest, ALoadNeedsABarrierBeforeAStore) {
  EXPECT_FALSE(isRace(kLoad, thread(0, 0)));
  EXPECT_FALSE(isRace(kLoad, thread(1, 0)));
  // Thread 1 is the last one that has loaded, but not the only one.
  EXPECT_TRUE(isRace(kStore, thread(1, 0)));
  EXPECT_FALSE(isRace(kStore, thread(1, 1)));
}

TEST_F(RaceDetectorTest, BlocksHaveNoOrder) {
  EXPECT_FALSE(isRace(kLoad, thread(0, 0, /*block=*/0)));
  EXPECT_TRUE(isRace(kStore, thread(0, 9, /*block=*/1)));
  EXPECT_FALSE(isRace(kLoad, thread(0, 9, /*block=*/1)));
  EXPECT_TRUE(isRace(kStore, thread(0, 10, /*block=*/1)));
}

TEST_F(RaceDetectorTest, NeighboursDoNotMeet) {
  EXPECT_FALSE(isRace(kStore, thread(0, 0)));
  EXPECT_FALSE(detector_.note(4, 4, kStore, thread(1, 0)));
  EXPECT_TRUE(detector_.note(3, 2, kLoad, thread(1, 0)));
}

TEST_F(RaceDetectorTest, EachBlockHasItsOwnSharedMemory) {
  RaceDetector shared(RaceDetector::Memory::Shared, 4);
  EXPECT_FALSE(shared.note(0, 4, kLoad, thread(0, 0)));
  EXPECT_FALSE(shared.note(0, 4, kStore, thread(0, 0)));
  EXPECT_FALSE(shared.note(0, 4, kStore, thread(1, 0, /*block=*/1)));
  EXPECT_FALSE(shared.note(0, 4, kLoad, thread(2, 1, /*block=*/1)));
  EXPECT_TRUE(shared.note(0, 4, kStore, thread(1, 1, /*block=*/1)));
}

}  // namespace
}  // namespace sbp::cuda::simt
