#include "passes/localize/RankClasses.h"

#include <vector>

#include "gtest/gtest.h"

namespace sbp {
namespace {

using Classes = std::vector<std::vector<int64_t>>;

const Component B = Component::broadcast();
Component S(int64_t dim) { return Component::split(dim); }

Mesh meshOf(std::vector<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes) mesh.axes.push_back({"", size, 0, 0});
  return mesh;
}

/// Returns the classes of all ranks of `mesh`.
Classes classesOf(const Cuts& cuts, const Mesh& mesh) {
  return rankClasses(mesh.numRanks(), {{&mesh, cuts}});
}

TEST(RankClasses, is_one_where_every_extent_divides) {
  Cuts cuts;
  cuts.add({16, 8}, {S(0), S(1)});
  cuts.add({16, 8}, {S(0), S(0)});
  EXPECT_EQ(classesOf(cuts, meshOf({2, 2})), (Classes{{0, 1, 2, 3}}));
}

TEST(RankClasses, is_one_where_nothing_is_split) {
  EXPECT_EQ(classesOf(Cuts(), meshOf({3})), (Classes{{0, 1, 2}}));
}

TEST(RankClasses, groups_ranks_with_parts_of_one_size) {
  Cuts cuts;
  cuts.add({10}, {S(0)});
  EXPECT_EQ(classesOf(cuts, meshOf({4})), (Classes{{0, 2}, {1, 3}}));
}

TEST(RankClasses, tells_ranks_apart_that_differ_in_any_cut) {
  Cuts cuts;
  cuts.add({3, 5}, {S(0), S(1)});
  EXPECT_EQ(classesOf(cuts, meshOf({2, 2})), (Classes{{0}, {1}, {2}, {3}}));
}

TEST(RankClasses, knows_parts_of_parts) {
  Cuts cuts;
  // 7 is cut into 3 and 4; 3 into 1 and 2, 4 into 2 and 2.
  cuts.add({7}, {S(0), S(0)});
  EXPECT_EQ(classesOf(cuts, meshOf({2, 2})), (Classes{{0}, {1, 2, 3}}));
}

TEST(RankClasses, ignores_axes_that_split_nothing) {
  Cuts cuts;
  cuts.add({3, 4}, {B, S(0)});
  EXPECT_EQ(classesOf(cuts, meshOf({2, 2})), (Classes{{0, 2}, {1, 3}}));
}

TEST(RankClasses, tells_groups_apart_and_parts_within_them) {
  Mesh front = meshOf({3}), back = meshOf({1});
  front.ranks = {4, 0, 1};
  back.ranks = {2};
  Cuts uneven;
  uneven.add({4}, {S(0)});  // parts of 1, 1, 2
  EXPECT_EQ(rankClasses(5, {{&front, uneven}, {&back, Cuts()}}),
            (Classes{{0, 4}, {1}, {2}, {3}}));
}

}  // namespace
}  // namespace sbp
