#include "passes/boxing/Versions.h"

#include <cmath>

#include "gtest/gtest.h"

namespace sbp {
namespace {

// Placement numbers: a transition from a to b takes |a - b| seconds, and
// placements from 10 on have Partial components.
double seconds(int64_t from, int64_t to) {
  return std::abs(static_cast<double>(from - to));
}
bool isPartial(int64_t placement) { return placement >= 10; }

TEST(VersionsTest, AUseThatWantsTheTensorAsItWasMadeCostsNothing) {
  Versions versions(3);
  auto serving = versions.serve(3, seconds, isPartial);
  EXPECT_FALSE(serving.isNew);
  EXPECT_EQ(serving.version, 0u);
  EXPECT_EQ(serving.seconds, 0);
}

TEST(VersionsTest, WhatOneUseWasGivenServesTheNext) {
  Versions versions(0);
  EXPECT_EQ(versions.serve(5, seconds, isPartial).seconds, 5);
  auto again = versions.serve(5, seconds, isPartial);
  EXPECT_FALSE(again.isNew);
  EXPECT_EQ(again.version, 1u);
}

TEST(VersionsTest, ANewVersionComesFromTheCheapestOneThatIsThere) {
  Versions versions(0);
  versions.serve(5, seconds, isPartial);
  auto serving = versions.serve(7, seconds, isPartial);
  EXPECT_TRUE(serving.isNew);
  EXPECT_EQ(serving.boxedFrom, 1u);
  EXPECT_EQ(serving.seconds, 2);
}

TEST(VersionsTest, TermsAreReducedOnce) {
  Versions versions(10);
  EXPECT_EQ(versions.serve(0, seconds, isPartial).boxedFrom, 0u);
  // The terms (10) are nearer, but they have been reduced already.
  auto serving = versions.serve(9, seconds, isPartial);
  EXPECT_EQ(serving.boxedFrom, 1u);
  EXPECT_EQ(serving.seconds, 9);
}

TEST(VersionsTest, TermsMayComeFromAnything) {
  Versions versions(0);
  EXPECT_EQ(versions.serve(12, seconds, isPartial).seconds, 12);
}

}  // namespace
}  // namespace sbp
