#include "passes/search/reading/Follow.h"

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

const Component kB = Component::broadcast();
const Component kP = Component::partial(Reduction::Sum);
Component s(int64_t dim) { return Component::split(dim); }

/// Returns "bj,ij->bi": the gradient of x in y = einsum "bi,ij->bj" x, w.
LoopNest gradientOfX() {
  LoopNest nest;
  int64_t b = nest.addLoop(Loop::parallel(8));
  int64_t i = nest.addLoop(Loop::parallel(8));
  int64_t j = nest.addLoop(Loop::reduce(8, Reduction::Sum));
  nest.operands = {{b, j}, {i, j}};
  nest.results = {{b, i}};
  nest.partialPasses = {{Reduction::Sum, {0}}, {Reduction::Sum, {1}}};
  return nest;
}

Mesh meshOf(std::initializer_list<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes) mesh.axes.push_back({"axis", size});
  return mesh;
}

TEST(FollowTest, TheGradientLiesAsTheTensorAndIsWholeWhereThatIsPartial) {
  EXPECT_EQ(gradientOf(s(1)), s(1));
  EXPECT_EQ(gradientOf(kB), kB);
  EXPECT_EQ(gradientOf(kP), kB);
  EXPECT_EQ(gradientOf(Placement{s(0), kP}), (Placement{s(0), kB}));
}

TEST(FollowTest, TheLoopThatLaysTheTensorsAsWishedIsSplit) {
  // The forward op split j: dy is S(1), and w is S(1).
  auto signature = follow(gradientOfX(), meshOf({4}),
                          {{Placement{s(1)}, Placement{s(1)}}, {}});
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->results.front(), Placement{kP});
}

TEST(FollowTest, AxesFollowEachTheirOwn) {
  // One axis is data parallel; the other splits the rows of w.
  auto signature = follow(gradientOfX(), meshOf({2, 2}),
                          {{Placement{s(0), kB}, Placement{kB, s(0)}}, {}});
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->results.front(), (Placement{s(0), s(1)}));
}

TEST(FollowTest, AnOpCommunicatesItselfOnlyWhereItsForwardOpDoes) {
  // dy is split by samples, and w by rows. No loop places them so, but the op
  // could gather w.
  LoopNest nest = gradientOfX();
  Signature streaming = signaturesOf(nest)[1];
  ASSERT_EQ(streaming.operands[0], s(0));
  streaming.operands[1] = s(0);
  streaming.communicates = true;
  nest.communicating.push_back(streaming);
  nest.canCombine = [](const Mesh&, llvm::ArrayRef<const Signature*>) {
    return true;
  };
  Wishes wishes = {{Placement{s(0), s(0)}, Placement{s(0), s(0)}}, {}};
  wishes.communicating = {1};
  auto signature = follow(nest, meshOf({2, 2}), wishes);
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->operands[0], (Placement{s(0), s(0)}));
  EXPECT_EQ(signature->operands[1], (Placement{kB, s(0)}));
  ASSERT_EQ(signature->communicating.size(), 1u);
  EXPECT_EQ(signature->communicating[0], 1);
}

TEST(FollowTest, WishesThatNoSignatureHasAreMetAsFarAsCanBe) {
  // dy split by samples needs a whole w. Of two wishes that contradict each
  // other, the first one, of dy, is met.
  auto signature = follow(gradientOfX(), meshOf({4}),
                          {{Placement{s(0)}, Placement{s(1)}}, {}});
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->operands[0], Placement{s(0)});
}

TEST(FollowTest, ResultsDecideWhereOperandsLeaveAChoice) {
  LoopNest broadcast;
  int64_t row = broadcast.addLoop(Loop::parallel(8));
  broadcast.operands = {{kNoLoop}};
  broadcast.results = {{row}};
  auto whole =
      follow(broadcast, meshOf({4}), {{Placement{kB}}, {std::nullopt}});
  auto split =
      follow(broadcast, meshOf({4}), {{Placement{kB}}, {Placement{s(0)}}});
  EXPECT_EQ(whole->results.front(), Placement{kB});
  EXPECT_EQ(split->results.front(), Placement{s(0)});
}

TEST(FollowTest, NothingFollowsWhereALoopCannotBeCutSo) {
  LoopNest nest;
  Loop even = Loop::parallel(6);
  even.evenOnly = true;
  int64_t row = nest.addLoop(even);
  nest.operands = {{row}};
  nest.results = {{row}};
  EXPECT_TRUE(follow(nest, meshOf({3}), {{Placement{s(0)}}, {}}));
  EXPECT_FALSE(follow(nest, meshOf({4}), {{Placement{s(0)}}, {}}));
}

}  // namespace
}  // namespace sbp::search
