#include "codegen/cuda/testing/driver/Streams.h"

#include <atomic>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::cuda::driver {
namespace {

using ::testing::ElementsAre;

TEST(Streams, DoWorkInOrderButLate) {
  bool wasLate = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Streams streams(seed);
    const int64_t stream = streams.create();
    std::vector<int> done;
    std::atomic<size_t> numDone{0};
    for (int i = 0; i < 4; ++i)
      streams.add(stream, {[] { return true; },
                           [&, i] {
                             done.push_back(i);
                             ++numDone;
                             return 0;
                           }});
    wasLate |= numDone < 4;
    streams.finish();
    EXPECT_EQ(streams.error(), 0);
    EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
  }
  EXPECT_TRUE(wasLate);
}

TEST(Streams, StopAtTheFirstError) {
  Streams streams(0);
  const int64_t stream = streams.create();
  std::atomic<bool> isDone{false};
  streams.add(stream, {[] { return true; }, [] { return 700; }});
  streams.add(stream, {[] { return true; },
                       [&] {
                         isDone = true;
                         return 0;
                       }});
  while (!streams.isDone(stream)) {
  }
  EXPECT_EQ(streams.error(), 700);
  EXPECT_FALSE(isDone);
}

TEST(Streams, WaitForEachOther) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Streams streams(seed);
    const int64_t first = streams.create();
    const int64_t second = streams.create();
    std::vector<int> done;
    const auto note = [&](int what) -> Work {
      return {[] { return true; },
              [&done, what] {
                done.push_back(what);
                return 0;
              }};
    };
    streams.add(first, note(1));
    streams.addWait(second, streams.endOf(first));
    streams.add(second, note(2));
    streams.addWait(first, streams.endOf(second));
    streams.add(first, note(3));
    streams.finish();
    EXPECT_THAT(done, ElementsAre(1, 2, 3));
  }
}

TEST(Streams, RunInDifferentOrders) {
  std::vector<bool> isFirstFirst;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Streams streams(seed);
    std::vector<int64_t> done;
    const int64_t gate = streams.create();
    const int64_t both[] = {streams.create(), streams.create()};
    std::atomic<bool> isOpen{false};
    streams.add(gate, {[&] { return isOpen.load(); }});
    for (int64_t stream : both) {
      streams.addWait(stream, streams.endOf(gate));
      streams.add(stream, {[] { return true; },
                           [&done, stream] {
                             done.push_back(stream);
                             return 0;
                           }});
    }
    isOpen = true;
    streams.finish();
    isFirstFirst.push_back(done.front() == both[0]);
  }
  EXPECT_THAT(isFirstFirst, ::testing::Contains(true));
  EXPECT_THAT(isFirstFirst, ::testing::Contains(false));
}

}  // namespace
}  // namespace sbp::cuda::driver
