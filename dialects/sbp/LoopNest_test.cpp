#include "dialects/sbp/LoopNest.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp {
namespace {

using testing::ElementsAre;

std::vector<std::string> textOf(llvm::ArrayRef<Signature> signatures) {
  std::vector<std::string> text;
  for (const Signature& signature : signatures) text.push_back(signature.str());
  return text;
}

/// Returns the loops of "bi,ij->bj", the example in LoopNest.h.
LoopNest matrixProduct() {
  LoopNest nest;
  int64_t b = nest.addLoop(Loop::parallel(64));
  int64_t i = nest.addLoop(Loop::reduce(8, Reduction::Sum));
  int64_t j = nest.addLoop(Loop::parallel(4));
  nest.operands = {{b, i}, {i, j}};
  nest.results = {{b, j}};
  nest.partialPasses = {{Reduction::Sum, {0}}, {Reduction::Sum, {1}}};
  nest.flopsPerPoint = 2;
  return nest;
}

TEST(SignaturesOf, AMatrixProductHasDataRowAndColumnParallelism) {
  EXPECT_THAT(textOf(signaturesOf(matrixProduct())),
              ElementsAre("(B, B) -> (B)",             //
                          "(S(0), B) -> (S(0))",       //
                          "(S(1), S(0)) -> (P(sum))",  //
                          "(B, S(1)) -> (S(1))",       //
                          "(P(sum), B) -> (P(sum))",   //
                          "(B, P(sum)) -> (P(sum))"));
}

TEST(SignaturesOf, NamesTheLoopThatIsSplit) {
  std::vector<int64_t> loops;
  for (const Signature& signature : signaturesOf(matrixProduct()))
    loops.push_back(signature.loop);
  EXPECT_THAT(loops, ElementsAre(kNoLoop, 0, 1, 2, kNoLoop, kNoLoop));
}

TEST(SignaturesOf, AWholeLoopIsNeverSplit) {
  LoopNest softmax;
  int64_t row = softmax.addLoop(Loop::parallel(4));
  int64_t column = softmax.addLoop(Loop::whole(5));
  softmax.operands = {{row, column}};
  softmax.results = {{row, column}};
  EXPECT_THAT(textOf(signaturesOf(softmax)),
              ElementsAre("(B) -> (B)", "(S(0)) -> (S(0))"));
}

TEST(SignaturesOf, AReductionLeavesPartialOnlyWhatItDoesNotIndex) {
  // A gradient of a normalisation: one result per row, one summed over rows.
  LoopNest nest;
  int64_t row = nest.addLoop(Loop::reduce(4, Reduction::Max));
  nest.operands = {{row, kNoLoop}};
  nest.results = {{row, kNoLoop}, {kNoLoop}};
  EXPECT_THAT(textOf(signaturesOf(nest)),
              ElementsAre("(B) -> (B, B)", "(S(0)) -> (S(0), P(max))"));
}

TEST(SignaturesOf, OperandsOfOnePassArePartialTogether) {
  LoopNest sum;
  sum.operands = {{}, {}, {}};
  sum.results = {{}};
  sum.partialPasses = {{Reduction::Min, {0, 2}}};
  EXPECT_THAT(
      textOf(signaturesOf(sum)),
      ElementsAre("(B, B, B) -> (B)", "(P(min), B, P(min)) -> (P(min))"));
}

TEST(MaySplit, NeedsEqualPartsWhereOneIterationHoldsSeveralElements) {
  Loop loop = Loop::parallel(12);
  EXPECT_TRUE(maySplit(loop, /*alreadySplit=*/1, /*size=*/5));
  loop.evenOnly = true;
  EXPECT_FALSE(maySplit(loop, /*alreadySplit=*/1, /*size=*/5));
  EXPECT_TRUE(maySplit(loop, /*alreadySplit=*/2, /*size=*/3));
  EXPECT_FALSE(maySplit(loop, /*alreadySplit=*/4, /*size=*/2));
  EXPECT_FALSE(maySplit(Loop::whole(12), /*alreadySplit=*/1, /*size=*/2));
}

TEST(LoopNest, CountsFlopsOverAllLoops) {
  EXPECT_EQ(matrixProduct().flops(), 2.0 * 64 * 8 * 4);
}

}  // namespace
}  // namespace sbp
