#include "dialects/sbp/Algebra.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp {
namespace {

using testing::ElementsAre;

Mesh meshOf(llvm::ArrayRef<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes)
    mesh.axes.push_back({"axis" + std::to_string(mesh.axes.size()), size});
  return mesh;
}

TEST(PartOf, CoversAnExtentWithPartsThatDifferByAtMostOne) {
  for (int64_t extent = 0; extent < 40; ++extent)
    for (int64_t count = 1; count < 12; ++count) {
      int64_t next = 0;
      for (int64_t index = 0; index < count; ++index) {
        Interval part = partOf(extent, count, index);
        EXPECT_EQ(part.begin, next);
        EXPECT_GE(part.size(), extent / count);
        EXPECT_LE(part.size(), (extent + count - 1) / count);
        next = part.end;
      }
      EXPECT_EQ(next, extent);
    }
}

TEST(PartOf, CutsPartsAgainMajorAxisFirst) {
  // Seven rows over 2 x 2: [0, 3) and [3, 7), then 1 + 2 and 2 + 2.
  Mesh mesh = meshOf({2, 2});
  Placement placement = {Component::split(0), Component::split(0)};
  std::vector<int64_t> begins, sizes;
  for (int64_t rank = 0; rank < 4; ++rank) {
    Interval part = partOf(/*extent=*/7, /*dim=*/0, placement, mesh,
                           mesh.coordinatesOf(rank));
    begins.push_back(part.begin);
    sizes.push_back(part.size());
  }
  EXPECT_THAT(begins, ElementsAre(0, 1, 3, 5));
  EXPECT_THAT(sizes, ElementsAre(1, 2, 2, 2));
}

TEST(PartOf, IsAllOfADimensionThatNoAxisSplits) {
  Mesh mesh = meshOf({2, 3});
  Placement placement = {Component::split(1),
                         Component::partial(Reduction::Sum)};
  Interval part =
      partOf(/*extent=*/7, /*dim=*/0, placement, mesh, mesh.coordinatesOf(5));
  EXPECT_EQ(part.begin, 0);
  EXPECT_EQ(part.end, 7);
}

TEST(LocalShape, MayHaveExtentsOfZero) {
  Mesh mesh = meshOf({2, 2});
  Placement placement = {Component::split(0), Component::split(0)};
  int64_t numElements = 0;
  for (int64_t rank = 0; rank < 4; ++rank) {
    auto shape = localShape({3, 5}, placement, mesh, mesh.coordinatesOf(rank));
    EXPECT_EQ(shape[1], 5);
    numElements += shape[0] * shape[1];
  }
  EXPECT_EQ(numElements, 3 * 5);
  EXPECT_EQ(localShape({3, 5}, placement, mesh, mesh.coordinatesOf(0))[0], 0);
}

TEST(Mesh, NumbersRanksRowMajor) {
  Mesh mesh = meshOf({2, 3, 4});
  EXPECT_EQ(mesh.numRanks(), 24);
  EXPECT_THAT(mesh.coordinatesOf(0), ElementsAre(0, 0, 0));
  EXPECT_THAT(mesh.coordinatesOf(23), ElementsAre(1, 2, 3));
  EXPECT_THAT(mesh.coordinatesOf(17), ElementsAre(1, 1, 1));
}

TEST(Mesh, FindsAxesByName) {
  Mesh mesh = meshOf({2, 3});
  EXPECT_EQ(mesh.axisNamed("axis1"), 1);
  EXPECT_EQ(mesh.axisNamed("node"), -1);
}

TEST(Component, PrintsAsItIsWritten) {
  Placement placement = {Component::split(2), Component::broadcast(),
                         Component::partial(Reduction::Max)};
  EXPECT_EQ(stringOf(placement), "[S(2), B, P(max)]");
  EXPECT_EQ(stringOf(Placement()), "[]");
}

TEST(Component, IsEqualByKindAndValue) {
  EXPECT_EQ(Component::split(1), Component::split(1));
  EXPECT_NE(Component::split(1), Component::split(0));
  EXPECT_NE(Component::split(0), Component::broadcast());
  EXPECT_NE(Component::split(0), Component::partial(Reduction::Sum));
  EXPECT_NE(Component::partial(Reduction::Max),
            Component::partial(Reduction::Min));
}

}  // namespace
}  // namespace sbp
