#include "runtime/watchdog/Silence.h"

#include "gtest/gtest.h"

namespace sbp::watchdog {
namespace {

using std::chrono::milliseconds;

constexpr Silence::Clock::time_point kStart;

/// Two peers, a patience of 8 s, and a clock that is set by hand.
class SilenceTest : public testing::Test {
 protected:
  void listen(int begin, int end, int pause) {
    for (int ms = begin; ms <= end; ms += pause)
      silence.beginRound(kStart + milliseconds(ms));
  }
  bool isStalledAt(int peer, int ms) {
    return silence.isStalled(peer, kStart + milliseconds(ms));
  }

  Silence silence{2, milliseconds(8000), kStart};
};

TEST_F(SilenceTest, IsCountedForEachPeerSinceItWasHeard) {
  listen(0, 5000, 100);
  silence.noteHeard(1, kStart + milliseconds(5000));
  listen(5100, 12900, 100);
  EXPECT_FALSE(isStalledAt(0, 7900));
  EXPECT_TRUE(isStalledAt(0, 8000));
  EXPECT_FALSE(isStalledAt(1, 12900));
  EXPECT_TRUE(isStalledAt(1, 13000));
}

TEST_F(SilenceTest, IsFoundNoLaterWhereTheListenerIsOftenLate) {
  listen(0, 8000, 2000);
  EXPECT_TRUE(isStalledAt(0, 8000));
}

TEST_F(SilenceTest, IsFoundAsMuchLaterAsTheListenerSleptNotAsIfItBegan) {
  listen(0, 4000, 100);
  listen(9000, 9000, 1);  // of these 5 s, 3 s do not count
  listen(9100, 11000, 100);
  EXPECT_FALSE(isStalledAt(0, 10900));
  EXPECT_TRUE(isStalledAt(0, 11000));
}

TEST_F(SilenceTest, OfAWorldThatWasStoppedAsAWholeAccusesNobody) {
  listen(0, 1000, 100);
  listen(100000, 100000, 1);
  EXPECT_FALSE(isStalledAt(0, 100000));
  EXPECT_FALSE(isStalledAt(0, 104900));
  EXPECT_TRUE(isStalledAt(0, 105000));
}

}  // namespace
}  // namespace sbp::watchdog
