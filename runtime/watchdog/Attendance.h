// Who keeps the others waiting.
//
// A rank that is alive may still never come: its thread hangs in something
// else, or it runs another program. Its heart goes on beating; what tells is
// that its report (Activity.h) does not change while somebody waits. Once a
// rank has waited for as long as the limit in one place:
//
//   another rank works, without a step     it is the one that has not come
//   as long
//   all ranks wait, as long                they wait for each other: a deadlock
//   the others get on                      nothing is wrong yet
//
// So a rank may work as long as it likes where nobody waits for it, and longer
// than the limit where it notes its steps meanwhile; what is limited is a
// single step, say one kernel or the reading of one file, for which others
// wait.

#ifndef RUNTIME_WATCHDOG_ATTENDANCE_H_
#define RUNTIME_WATCHDOG_ATTENDANCE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/watchdog/Activity.h"

namespace sbp::watchdog {

class Attendance {
 public:
  using Clock = std::chrono::steady_clock;

  Attendance(int64_t numRanks, Clock::duration limit, Clock::time_point now);

  /// The latest report of `rank`.
  void note(int64_t rank, Report report, Clock::time_point now);

  /// Does not count that much of the time that has passed.
  void ignore(Clock::duration time);

  /// What is wrong, if something is: "rank 2 (...) has not come to all_reduce
  /// over data for 600 s: ...". `describe` names a rank.
  std::optional<std::string> findFault(
      Clock::time_point now,
      const std::function<std::string(int64_t)>& describe) const;

 private:
  struct Attendee {
    Report report;
    Clock::time_point changed;
  };

  std::string describeDeadlock(double seconds) const;

  const Clock::duration limit;
  std::vector<Attendee> attendees;  // by rank
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_ATTENDANCE_H_
