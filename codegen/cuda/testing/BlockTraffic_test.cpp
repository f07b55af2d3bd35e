// Tests of the counts of sectors and requests.

#include "codegen/cuda/testing/BlockTraffic.h"

#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

constexpr bool kLoad = false, kStore = true;
constexpr int64_t kWarp = 32;

class BlockTrafficTest : public testing::Test {
 protected:
  /// Notes that each thread of a warp accesses 4 bytes by instruction number
  /// `instruction`. The accesses of adjacent threads are `stride` bytes apart.
  void noteWarp(int64_t stride, bool isStore, int instruction = 0,
                int64_t warp = 0, size_t buffer = 0) {
    for (int64_t lane = 0; lane < kWarp; ++lane)
      traffic_.note({buffer, lane * stride, 4, isStore, warp * kWarp + lane,
                     &code_[instruction]});
  }

  BlockTraffic traffic_;
  char code_[2] = {};
};

TEST_F(BlockTrafficTest, NeighboursShareSectors) {
  noteWarp(4, kLoad);
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 128);
  EXPECT_EQ(traffic.storedBytes, 0);
  EXPECT_EQ(traffic.requestedBytes, 128);
  EXPECT_EQ(traffic.wantedBytes, 128);
}

TEST_F(BlockTrafficTest, ThreadsFarApartTakeASectorEach) {
  noteWarp(64, kStore);
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 0);
  EXPECT_EQ(traffic.storedBytes, kWarp * 32);
  EXPECT_EQ(traffic.requestedBytes, kWarp * 32);
  EXPECT_EQ(traffic.wantedBytes, 128);
}

TEST_F(BlockTrafficTest, ThreadsThatWantTheSameTakeItOnce) {
  noteWarp(0, kLoad);
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 32);
  EXPECT_EQ(traffic.requestedBytes, 32);
  EXPECT_EQ(traffic.wantedBytes, 32);
}

TEST_F(BlockTrafficTest, WhatIsLoadedAgainIsFetchedOnceAndRequestedAgain) {
  noteWarp(4, kLoad);
  noteWarp(4, kLoad);                                 // executed again
  noteWarp(4, kLoad, /*instruction=*/1);              // another instruction
  noteWarp(4, kLoad, /*instruction=*/0, /*warp=*/1);  // another warp
  noteWarp(4, kLoad, /*instruction=*/0, 0, /*buffer=*/1);  // other data
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 2 * 128);
  EXPECT_EQ(traffic.requests, 5);
  EXPECT_EQ(traffic.requestedBytes, 5 * 128);
}

TEST_F(BlockTrafficTest, AnAccessMayLieInTwoSectors) {
  traffic_.note({0, 24, 16, kLoad, 0, &code_[0]});
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 64);
  EXPECT_EQ(traffic.wantedBytes, 16);
}

TEST_F(BlockTrafficTest, ForgetsWhatWasTaken) {
  noteWarp(4, kLoad);
  traffic_.take();
  const Traffic traffic = traffic_.take();
  EXPECT_EQ(traffic.loadedBytes, 0);
  EXPECT_EQ(traffic.requestedBytes, 0);
}

}  // namespace
}  // namespace sbp::cuda
