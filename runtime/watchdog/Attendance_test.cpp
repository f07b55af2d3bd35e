#include "runtime/watchdog/Attendance.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::watchdog {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

constexpr Attendance::Clock::time_point kStart;

std::string describe(int64_t rank) { return "rank " + std::to_string(rank); }

/// Three ranks, a limit of ten seconds, and a clock that is set by hand.
class AttendanceTest : public testing::Test {
 protected:
  void note(int second, int64_t rank, Report report) {
    attendance.note(rank, std::move(report), kStart + seconds(second));
  }
  std::string faultAt(int second) const {
    return attendance.findFault(kStart + seconds(second), describe)
        .value_or("");
  }

  Attendance attendance{3, seconds(10), kStart};
};

TEST_F(AttendanceTest, NamesTheRankThatDoesNotCome) {
  note(1, 0, {7, 0, "all_reduce"});
  note(2, 1, {6, 0, ""});
  note(3, 2, {7, 0, "all_reduce"});
  EXPECT_EQ(faultAt(11), "");  // rank 1 may still be working
  EXPECT_THAT(faultAt(12),
              AllOf(HasSubstr("rank 1 has not come to all_reduce for 10.0 s"),
                    HasSubstr("rank 0 waits there in its call 7"),
                    HasSubstr("rank 1 has made 6")));
}

TEST_F(AttendanceTest, GivesTimeToARankThatGetsOn) {
  note(0, 0, {7, 0, "all_reduce"});
  note(0, 2, {7, 0, "all_reduce"});
  for (int second = 0; second < 100; ++second) {
    note(second, 1, {6, uint64_t(second / 9), ""});
    EXPECT_EQ(faultAt(second), "");
  }
}

TEST_F(AttendanceTest, LetsAllWorkAsLongAsTheyLike) {
  EXPECT_EQ(faultAt(1000), "");
  note(1001, 0, {1, 0, "all_reduce"});
  EXPECT_EQ(faultAt(1010), "");
}

TEST_F(AttendanceTest, TellsWhereRanksWaitForEachOther) {
  note(0, 0, {7, 0, "all_reduce over x"});
  note(0, 2, {7, 0, "all_reduce over x"});
  note(5, 1, {9, 0, "receive"});
  EXPECT_EQ(faultAt(14), "");
  EXPECT_THAT(faultAt(15),
              AllOf(HasSubstr("ranks 0, 2 in all_reduce over x (call 7)"),
                    HasSubstr("rank 1 in receive (call 9)")));
}

TEST_F(AttendanceTest, DoesNotCountTimeThatIsIgnored) {
  note(0, 0, {7, 0, "all_reduce"});
  attendance.ignore(seconds(100));
  EXPECT_EQ(faultAt(109), "");
  EXPECT_NE(faultAt(110), "");
}

TEST(Report, SurvivesItsEncoding) {
  for (const Report& report :
       {Report{}, Report{3, 4, "all_reduce over a, b"}}) {
    EXPECT_EQ(decodeReport(encodeReport(report)), report);
  }
  EXPECT_EQ(decodeReport("nonsense"), Report());
}

TEST(Activity, TellsWhereItsRankWaits) {
  Activity activity;
  const std::string& where = activity.name("barrier");
  EXPECT_EQ(&where, &activity.name("barrier"));
  {
    Wait wait(&activity, &where);
    EXPECT_EQ(activity.report(), (Report{1, 0, "barrier"}));
  }
  activity.noteStep();
  EXPECT_EQ(activity.report(), (Report{1, 1, ""}));
}

}  // namespace
}  // namespace sbp::watchdog
