#include "runtime/plan/Box.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::plan {
namespace {

using ::testing::ElementsAre;

constexpr Component kBroadcast{Component::Kind::kBroadcast, 0,
                               ReductionKind::kSum};

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, ReductionKind::kSum};
}

TEST(Box, NestedSplitsCutWhatTheAxisBeforeLeft) {
  const Group mesh = {{"a", 2}, {"b", 2}};
  const Tensor tensor{"x", ElementType::kF32, {10}, {split(0), split(0)}};
  std::vector<int64_t> begins, sizes;
  for (int64_t rank = 0; rank < 4; ++rank) {
    const Box box = localBox(mesh, tensor, rank);
    begins.push_back(box[0].begin);
    sizes.push_back(box[0].size);
  }
  EXPECT_THAT(begins, ElementsAre(0, 2, 5, 7));
  EXPECT_THAT(sizes, ElementsAre(2, 3, 2, 3));
}

TEST(Box, RanksAreRowMajorOverTheMesh) {
  const Group mesh = {{"a", 2}, {"b", 3}};
  EXPECT_THAT(coordinatesOf(mesh, 0), ElementsAre(0, 0));
  EXPECT_THAT(coordinatesOf(mesh, 2), ElementsAre(0, 2));
  EXPECT_THAT(coordinatesOf(mesh, 3), ElementsAre(1, 0));
}

TEST(Box, MorePartsThanElementsLeaveSomeEmpty) {
  const Group mesh = {{"a", 4}};
  const Tensor tensor{"x", ElementType::kI64, {3, 5}, {split(0)}};
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < 4; ++rank)
    bytes.push_back(localBytes(mesh, tensor, rank));
  EXPECT_THAT(bytes, ElementsAre(0, 40, 40, 40));
}

TEST(Box, BoxesOfPrincipalRanksCoverEachElementOnce) {
  const Group mesh = {{"a", 2}, {"b", 3}, {"c", 2}};
  const Tensor tensor{
      "x", ElementType::kF32, {7, 5}, {split(1), kBroadcast, split(0)}};
  std::vector<int> owners(35);
  for (int64_t rank = 0; rank < 12; ++rank) {
    if (!isPrincipal(mesh, tensor, rank)) continue;
    const Box box = localBox(mesh, tensor, rank);
    for (int64_t i = 0; i < box[0].size; ++i)
      for (int64_t j = 0; j < box[1].size; ++j)
        ++owners[(box[0].begin + i) * 5 + box[1].begin + j];
  }
  EXPECT_EQ(owners, std::vector<int>(35, 1));
}

}  // namespace
}  // namespace sbp::plan
