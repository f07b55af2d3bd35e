#include "passes/cost/Collectives.h"

#include <vector>

#include "gtest/gtest.h"

namespace sbp {
namespace {

constexpr Collective kAll[] = {Collective::AllReduce, Collective::AllGather,
                               Collective::ReduceScatter, Collective::AllToAll};

/// In a bucket, among more bytes than any bucket holds.
const Bucketing kMany = Bucketing::inBucket(1e12);

/// Returns a machine of nodes without price tables, with 4 x 2 devices per node
/// that have some.
Mesh machine() {
  MeshAxis node{"node", 2, 2e-5, 8e-11, {}, 0};
  MeshAxis row{"row", 2, 5e-6, 5e-12, {}, 1};
  row.prices = {
      {Collective::AllReduce, 2, {{1000, {1e-6, 1e-9}}, {1e5, {2e-6, 0}}, {}}},
      {Collective::AllReduce, 8, {{}}},
      {Collective::AllGather, 0, {{}}}};
  row.prices[0].classes[2].price = {1e-6, 1e-11};
  row.prices[1].classes[0].price = {3e-6, 2e-11};
  row.prices[2].classes[0].price = {4e-6, 3e-11};
  MeshAxis column = row;
  column.name = "column";
  column.size = 4;
  return {{node, row, column}};
}

TEST(CollectivesTest, WithoutPricesTheRingCountsByTheLevel) {
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllGather, {0}, 1e6, machine()),
      2e-5 + 0.5e6 * 8e-11);
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllReduce, {0}, 1e6, machine()),
      2 * (2e-5 + 0.5e6 * 8e-11));
  // There is no price table for reduce-scatters.
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::ReduceScatter, {2}, 4e6, machine()),
      3 * (5e-6 + 1e6 * 5e-12));
}

TEST(CollectivesTest, TheSizeOfAMessageChoosesThePrice) {
  auto seconds = [](double message) {
    return collectiveSeconds(Collective::AllReduce, {1}, 2 * message,
                             machine());
  };
  EXPECT_DOUBLE_EQ(seconds(1000), 2 * (1e-6 + 1000 * 1e-9));
  EXPECT_DOUBLE_EQ(seconds(1001), 2 * 2e-6);
  EXPECT_DOUBLE_EQ(seconds(1e5), 2 * 2e-6);
  EXPECT_DOUBLE_EQ(seconds(2e5), 2 * (1e-6 + 2e5 * 1e-11));
}

TEST(CollectivesTest, AGroupPaysAsTheNextLargerThatHasAPrice) {
  // 4 members pay the price of 8; 8 members over two axes have their own.
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllReduce, {2}, 4e6, machine()),
      2 * 3 * (3e-6 + 1e6 * 2e-11));
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllReduce, {1, 2}, 8e6, machine()),
      2 * 7 * (3e-6 + 1e6 * 2e-11));
}

TEST(CollectivesTest, AGroupLargerThanAllPricesPaysThoseOfTheLargest) {
  Mesh mesh = machine();
  mesh.axes[2].size = 100;
  EXPECT_DOUBLE_EQ(collectiveSeconds(Collective::AllReduce, {2}, 1e8, mesh),
                   2 * 99 * (3e-6 + 1e6 * 2e-11));
}

TEST(CollectivesTest, AMessageTakesTheLinksOfTheOutermostLevelThatItCrosses) {
  // 2 nodes of 8: 8 messages between the nodes, 7 within.
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::ReduceScatter, {0, 1, 2}, 16e6, machine()),
      8 * (2e-5 + 1e6 * 8e-11) + 7 * (5e-6 + 1e6 * 5e-12));
  // There is a price table for the 8 devices within a node.
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllReduce, {0, 1, 2}, 16e6, machine()),
      2 * (8 * (2e-5 + 1e6 * 8e-11) + 7 * (3e-6 + 1e6 * 2e-11)));
}

TEST(CollectivesTest, AHaloTakesAMessageFromEachNeighbour) {
  // In a group of two nodes, each has one neighbour.
  EXPECT_DOUBLE_EQ(secondsOf(haloExchangeTraffic({0}, 1e6, 2e6, machine())),
                   2e-5 + 2e6 * 8e-11);
  // In a row of three nodes, both neighbours are across the network.
  Mesh row = machine();
  row.axes[0].size = 3;
  EXPECT_DOUBLE_EQ(secondsOf(haloExchangeTraffic({0}, 1e6, 2e6, row)),
                   2 * 2e-5 + 3e6 * 8e-11);
  // For devices within nodes, at most one neighbour is across the network.
  EXPECT_DOUBLE_EQ(secondsOf(haloExchangeTraffic({0, 1}, 1e6, 2e6, machine())),
                   (2e-5 + 2e6 * 8e-11) + (5e-6 + 1e6 * 5e-12));
  // An empty message is not sent.
  EXPECT_DOUBLE_EQ(secondsOf(haloExchangeTraffic({0}, 1e6, 0, machine())),
                   2e-5 + 1e6 * 8e-11);
}

TEST(CollectivesTest, ALevelOfOneDeviceCostsNothing) {
  Mesh mesh = machine();
  mesh.axes[0].size = 1;
  for (Collective collective : kAll)
    EXPECT_DOUBLE_EQ(collectiveSeconds(collective, {0, 1}, 4e6, mesh),
                     collectiveSeconds(collective, {1}, 4e6, mesh));
}

TEST(CollectivesTest, NoTensorIsCheaperThanASmallerOne) {
  for (Collective collective : kAll)
    for (const std::vector<int64_t>& axes : std::vector<std::vector<int64_t>>{
             {0}, {1}, {2}, {0, 1}, {1, 2}, {0, 1, 2}}) {
      double before = 0;
      for (double bytes = 1; bytes < 1e9; bytes *= 1.1) {
        double seconds = collectiveSeconds(collective, axes, bytes, machine());
        EXPECT_LE(before, seconds) << stringOf(collective).str() << bytes;
        before = seconds;
      }
    }
}

TEST(CollectivesTest, ABucketIsFullWhenItTakesEightLatencies) {
  // With 2 members a message is half of the bucket: 7 latencies of 20 us at
  // 12.5 GB/s.
  EXPECT_DOUBLE_EQ(
      fullBucketBytes(Collective::AllReduce, {0}, machine(), kMany),
      2 * 1.75e6);
  // Over two levels the messages of both count: 8 slow ones and 7 faster ones.
  const double full =
      fullBucketBytes(Collective::ReduceScatter, {0, 1, 2}, machine(), kMany);
  EXPECT_NEAR(
      collectiveSeconds(Collective::ReduceScatter, {0, 1, 2}, full, machine()),
      8 * collectiveSeconds(Collective::ReduceScatter, {0, 1, 2}, 0, machine()),
      1e-9);
}

TEST(CollectivesTest, ABucketIsFullByThePriceOfItsOwnMessages) {
  // 8 latencies of the smallest messages are 8 us, which falls into the largest
  // class.
  const double full =
      fullBucketBytes(Collective::AllReduce, {1}, machine(), kMany);
  EXPECT_DOUBLE_EQ(full, 2 * 7e5);
  EXPECT_DOUBLE_EQ(
      collectiveSeconds(Collective::AllReduce, {1}, full, machine()), 2 * 8e-6);
}

TEST(CollectivesTest, ABucketTakesNoMoreThan64MegabytesOfADevice) {
  Mesh mesh = machine();
  mesh.axes[0].size = 1000;
  EXPECT_DOUBLE_EQ(fullBucketBytes(Collective::AllGather, {0}, mesh, kMany),
                   64 << 20);
  EXPECT_DOUBLE_EQ(
      fullBucketBytes(Collective::AllGather, {0, 1, 2}, mesh, kMany), 64 << 20);
}

TEST(CollectivesTest, ABucketHasNoMoreThanThereIs) {
  EXPECT_EQ(fullBucketBytes(Collective::AllReduce, {0}, machine(),
                            Bucketing::inBucket(1000)),
            1000);
  EXPECT_EQ(fullBucketBytes(Collective::AllReduce, {0}, machine(),
                            Bucketing::alone()),
            0);
}

TEST(CollectivesTest, TensorsThatFillABucketTakeWhatItTakes) {
  const double full =
      fullBucketBytes(Collective::AllReduce, {0}, machine(), kMany);
  double sum = 0;
  for (int part = 0; part < 64; ++part)
    sum += secondsOf(trafficInBucket(Collective::AllReduce, {0}, full / 64,
                                     full, machine()));
  EXPECT_NEAR(sum,
              collectiveSeconds(Collective::AllReduce, {0}, full, machine()),
              1e-12);
}

TEST(CollectivesTest, WhatABucketTakesIsSharedByBytes) {
  auto part = [](double bytes) {
    return secondsOf(
        trafficInBucket(Collective::AllReduce, {0}, bytes, 1e6, machine()));
  };
  EXPECT_DOUBLE_EQ(part(2e5) + part(8e5), 2 * (2e-5 + 0.5e6 * 8e-11));
  EXPECT_DOUBLE_EQ(part(8e5), 4 * part(2e5));
}

TEST(CollectivesTest, TensorsOfNoBytesTakeNothingInABucket) {
  EXPECT_EQ(
      secondsOf(trafficInBucket(Collective::AllReduce, {0}, 0, 1e6, machine())),
      0);
}

}  // namespace
}  // namespace sbp
