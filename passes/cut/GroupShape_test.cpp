#include "passes/cut/GroupShape.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/cut/StageGroups.h"

namespace sbp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns a machine of levels of `sizes` whose links have `betas`.
Mesh machine(const std::vector<int64_t>& sizes,
             const std::vector<double>& betas) {
  Mesh mesh;
  for (auto [size, beta] : llvm::zip(sizes, betas)) {
    const auto level = static_cast<int64_t>(mesh.axes.size());
    mesh.axes.push_back(
        {"level" + std::to_string(level), size, 1e-6, beta, {}, level});
  }
  return mesh;
}

std::vector<std::string> texts(const std::vector<GroupShape>& shapes) {
  std::vector<std::string> all;
  for (const GroupShape& shape : shapes) all.push_back(shape.str());
  return all;
}

TEST(GroupShapeTest, TheOutermostShapeDividesAnInnerAxisLast) {
  const Mesh mesh = machine({2, 6}, {1e-9, 1e-10});
  EXPECT_THAT(texts(outermostShapes(mesh, 12)),
              ElementsAre("1x1", "2x1", "2x2", "2x3", "2x6"));
  EXPECT_EQ(outermostShape(mesh, 3), std::nullopt);
  EXPECT_EQ(outermostShape(mesh, 24), std::nullopt);
}

TEST(GroupShapeTest, ANumberMeansTheOutermostShape) {
  const Mesh mesh = machine({2, 4}, {1e-9, 1e-10});
  EXPECT_EQ(shapeOf(mesh, GroupCounts(4))->str(), "2x2");
  EXPECT_EQ(shapeOf(mesh, GroupCounts({1, 4}))->str(), "1x4");
  EXPECT_EQ(shapeOf(mesh, GroupCounts({4, 1})), std::nullopt);
  EXPECT_EQ(shapeOf(mesh, GroupCounts({1, 2, 1})), std::nullopt);
  EXPECT_EQ(countsOf(mesh, GroupShape{{2, 2}}).str(), "4");
  EXPECT_EQ(countsOf(mesh, GroupShape{{1, 4}}).str(), "1x4");
  EXPECT_EQ(possibleCounts(mesh),
            "1, 2, 4 or 8, or per axis (1 or 2) x (1, 2 or 4)");
}

TEST(GroupShapeTest, InnerShapesDivideOneAxisThoseWithFastCollectivesFirst) {
  EXPECT_THAT(texts(innerShapes(machine({2, 4}, {1e-10, 1e-9}), 8)),
              ElementsAre("1x4", "1x2"));
  EXPECT_THAT(texts(innerShapes(machine({2, 3, 2}, {1e-9, 1e-10, 1e-11}), 2)),
              ElementsAre("1x1x2"));
  // The axis outside of the one that is divided has one rank.
  EXPECT_THAT(innerShapes(machine({1, 4}, {1e-10, 1e-9}), 4), IsEmpty());
}

TEST(GroupShapeTest, NeighbourAxesThatAreAlikeAreTriedOnce) {
  EXPECT_THAT(innerShapes(machine({4, 4}, {1e-9, 1e-9}), 16), IsEmpty());
  EXPECT_THAT(texts(innerShapes(machine({4, 2, 2}, {1e-10, 1e-9, 1e-9}), 16)),
              ElementsAre("1x2x1"));
}

TEST(GroupShapeTest, GroupsHaveEachRankOnceAndTheRestOfEachAxis) {
  const Mesh mesh = machine({2, 4, 3}, {1e-9, 1e-10, 1e-11});
  for (int64_t outer : {1, 2})
    for (int64_t middle : {1, 2, 4})
      for (int64_t inner : {1, 3}) {
        const GroupShape shape{{outer, middle, inner}};
        std::set<int64_t> ranks;
        for (const Mesh& group : divideIntoGroups(mesh, shape)) {
          EXPECT_EQ(group.numRanks(), 24 / shape.numGroups());
          ASSERT_EQ(static_cast<int64_t>(group.ranks.size()), group.numRanks());
          ranks.insert(group.ranks.begin(), group.ranks.end());
          // A step along an axis of the group is one along its level.
          for (int64_t position = 0; position < group.numRanks(); ++position) {
            auto there = group.coordinatesOf(position);
            auto expected = mesh.coordinatesOf(group.rankAt(0));
            for (auto [axis, coordinate] : llvm::zip(group.axes, there))
              expected[axis.level] += coordinate;
            EXPECT_EQ(mesh.coordinatesOf(group.rankAt(position)), expected);
          }
        }
        EXPECT_EQ(ranks.size(), 24) << shape.str();
      }
}

TEST(GroupCountsTest, TextIsReadAndPrinted) {
  for (const char* text : {"1", "16", "1x8x1", "65536"}) {
    GroupCounts counts;
    EXPECT_EQ(GroupCounts::read(text, counts), "");
    EXPECT_EQ(counts.str(), text);
  }
  EXPECT_EQ(GroupCounts({1, 8, 2}).numGroups(), 16);
  for (const char* text : {"", "0", "x", "2x", "1x-2", "1 x 2", "65536x2",
                           "99999999999999999999", "2X2"}) {
    GroupCounts counts;
    EXPECT_NE(GroupCounts::read(text, counts), "") << text;
    EXPECT_FALSE(counts.isGiven());
  }
}

}  // namespace
}  // namespace sbp
