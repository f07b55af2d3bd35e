#include "codegen/cuda/testing/driver/Stream.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::cuda::driver {
namespace {

using ::testing::ElementsAre;

TEST(Stream, DoesWorkInOrderButLate) {
  bool wasLate = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream(seed);
    std::vector<int> done;
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(stream.add([&done, i] {
        done.push_back(i);
        return 0;
      }),
                0);
    wasLate |= done.size() < 4;
    EXPECT_EQ(stream.finish(), 0);
    EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
  }
  EXPECT_TRUE(wasLate);
}

TEST(Stream, StopsAtTheFirstError) {
  Stream stream(0);
  bool isDone = false;
  stream.add([] { return 700; });
  stream.add([&] {
    isDone = true;
    return 0;
  });
  EXPECT_EQ(stream.finish(), 700);
  EXPECT_EQ(stream.finish(), 700);
  EXPECT_FALSE(isDone);
}

}  // namespace
}  // namespace sbp::cuda::driver
