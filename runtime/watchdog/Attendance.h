// Finds ranks that keep others waiting for too long.
//
// A rank that is alive may still never reach a call in which others wait for
// it: its thread hangs, or runs another program. The rank's heartbeats go on,
// but its report (Activity.h) does not change. When a rank has waited in one
// call for as long as the limit, there are three cases:
//
//   another rank has worked for as long,      that other rank has not come
//   without recording a step
//   all ranks have waited for as long         a deadlock
//   neither                                   nothing is wrong yet
//
// So a rank may work for any time while no other rank waits for it, and longer
// than the limit if it records its steps meanwhile. The limit applies to a
// single step for which others wait, such as one kernel or the reading of one
// file.

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

/// The latest reports of all ranks.
class Attendance {
 public:
  using Clock = std::chrono::steady_clock;

  /// Constructs the attendance of ranks that all begin to work at `now`.
  /// `limit` is the time for which a rank may keep others waiting.
  Attendance(int64_t numRanks, Clock::duration limit, Clock::time_point now);

  /// Records `report`, received from `rank` at `now`.
  void note(int64_t rank, Report report, Clock::time_point now);

  /// Excludes `time`, in which the watching thread did not run, from the times
  /// for which ranks have waited or worked.
  void ignore(Clock::duration time);

  /// Returns a description of a rank that keeps others waiting for too long,
  /// "rank 2 (...) has not come to all_reduce over data for 600.0 s: ...", or
  /// of a deadlock; nullopt if there is neither. `describe` must return the
  /// name of a rank.
  std::optional<std::string> findFault(
      Clock::time_point now,
      const std::function<std::string(int64_t)>& describe) const;

 private:
  /// The state of one rank.
  struct Attendee {
    Report report;              // the latest
    Clock::time_point changed;  // since when the rank's reports have been equal
  };

  /// Describes where all ranks have waited for `seconds`.
  std::string describeDeadlock(double seconds) const;

  const Clock::duration limit;
  std::vector<Attendee> attendees;  // by rank
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_ATTENDANCE_H_
