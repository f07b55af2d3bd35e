#include "runtime/random/Philox.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/random/Permutation.h"

namespace sbp::random {
namespace {

using ::testing::ElementsAre;

TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_THAT(philox(0, 0, 0),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox(~0ull, ~0ull, ~0ull),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(
      philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
      ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Philox, NormalNumbersHaveTheMomentsOfTheirDistribution) {
  constexpr int kCount = 200000;
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = normal(1, streamOf("w"), i);
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  // Within four standard errors.
  EXPECT_NEAR(sum / kCount, 0, 4 / std::sqrt(kCount));
  EXPECT_NEAR(square / kCount, 1, 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth / kCount, 3, 4 * std::sqrt(96.0 / kCount));
}

TEST(Philox, UniformNumbersFillTheUnitInterval) {
  int counts[10] = {};
  for (int i = 0; i < 100000; ++i) {
    const double x = uniform(2, streamOf("u"), i);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    ++counts[int(x * 10)];
  }
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Philox, KeysAndStreamsAreIndependent) {
  EXPECT_NE(uniform(1, streamOf("a"), 0), uniform(2, streamOf("a"), 0));
  EXPECT_NE(uniform(1, streamOf("a"), 0), uniform(1, streamOf("b"), 0));
}

TEST(Permutation, VisitsEachOnce) {
  for (int64_t size : {1, 2, 3, 5, 16, 17, 1000, 4097}) {
    std::vector<bool> seen(size);
    const Permutation permutation(size, 5, 0);
    for (int64_t i = 0; i < size; ++i) {
      const int64_t image = permutation(i);
      ASSERT_GE(image, 0);
      ASSERT_LT(image, size);
      EXPECT_FALSE(seen[image]);
      seen[image] = true;
    }
  }
}

TEST(Permutation, DependsOnKeyAndStream) {
  int numEqualKeys = 0, numEqualStreams = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t image = Permutation(1000, 5, 0)(i);
    numEqualKeys += Permutation(1000, 6, 0)(i) == image;
    numEqualStreams += Permutation(1000, 5, 1)(i) == image;
  }
  EXPECT_LT(numEqualKeys, 10);
  EXPECT_LT(numEqualStreams, 10);
}

}  // namespace
}  // namespace sbp::random
