#include "tools/emulation/Wires.h"

#include "gtest/gtest.h"

namespace sbp::emulation {
namespace {

// A byte takes a second; the latency is 10 seconds.
constexpr Link kSlow = {1, 10};

double sent(Wires& wires, int64_t from, int64_t to, int64_t bytes, double now) {
  return wires.deliver(to, bytes, wires.leave(from, bytes, now));
}

TEST(Wires, AFrameAloneTakesLatencyAndItsBytes) {
  Wires wires(2, kSlow);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 5, 100), 115);
}

TEST(Wires, FramesOfOneHostFollowEachOther) {
  Wires wires(3, kSlow);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 5, 0), 15);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 2, 5, 0), 20);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 5, 100), 115);  // the wire is free again
}

TEST(Wires, FramesToOneHostShareItsWire) {
  Wires wires(3, kSlow);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 2, 5, 0), 15);
  EXPECT_DOUBLE_EQ(sent(wires, 1, 2, 5, 0), 20);
}

TEST(Wires, DirectionsDoNotDisturbEachOther) {
  Wires wires(2, kSlow);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 5, 0), 15);
  EXPECT_DOUBLE_EQ(sent(wires, 1, 0, 5, 0), 15);
}

TEST(Wires, WithoutBandwidthThereIsNoBound) {
  Wires wires(2, {0, 3});
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 1000000, 1), 4);
  EXPECT_DOUBLE_EQ(sent(wires, 0, 1, 1000000, 1), 4);
}

}  // namespace
}  // namespace sbp::emulation
