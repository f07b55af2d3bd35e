#include "runtime/watchdog/Attendance.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fmt/format.h"

namespace sbp::watchdog {

Attendance::Attendance(int64_t numRanks, Clock::duration limit,
                       Clock::time_point now)
    : limit(limit), attendees(numRanks, Attendee{{}, now}) {}

void Attendance::note(int64_t rank, Report report, Clock::time_point now) {
  Attendee& attendee = attendees[rank];
  if (attendee.report == report) return;
  attendee.report = std::move(report);
  attendee.changed = now;
}

void Attendance::ignore(Clock::duration time) {
  for (Attendee& attendee : attendees) attendee.changed += time;
}

std::optional<std::string> Attendance::findFault(
    Clock::time_point now,
    const std::function<std::string(int64_t)>& describe) const {
  const int64_t numRanks = attendees.size();
  int64_t waiting = -1;  // the rank that has waited longest
  int64_t absent = -1;   // the rank that has worked longest
  bool allWait = true;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    const Attendee& attendee = attendees[rank];
    const bool isOverdue = now - attendee.changed >= limit;
    const bool isWaiting = !attendee.report.waitsIn.empty();
    allWait = allWait && isOverdue && isWaiting;
    if (!isOverdue) continue;
    int64_t& longest = isWaiting ? waiting : absent;
    if (longest < 0 || attendee.changed < attendees[longest].changed) {
      longest = rank;
    }
  }
  if (waiting < 0 || (absent < 0 && !allWait)) return std::nullopt;
  const Clock::time_point since =
      absent < 0
          ? attendees[waiting].changed
          : std::max(attendees[waiting].changed, attendees[absent].changed);
  const double seconds = std::chrono::duration<double>(now - since).count();
  if (allWait) return describeDeadlock(seconds);
  const Report& waiter = attendees[waiting].report;
  return fmt::format(
      "{} has not come to {} for {:.1f} s: rank {} waits there in its call {}, "
      "rank {} has made {}",
      describe(absent), waiter.waitsIn, seconds, waiting, waiter.numCalls,
      absent, attendees[absent].report.numCalls);
}

std::string Attendance::describeDeadlock(double seconds) const {
  constexpr size_t kMaxPlaces = 8;
  std::map<std::string, std::vector<int64_t>> ranksIn;
  for (size_t rank = 0; rank < attendees.size(); ++rank) {
    const Report& report = attendees[rank].report;
    ranksIn[fmt::format("{} (call {})", report.waitsIn, report.numCalls)]
        .push_back(rank);
  }
  std::vector<std::string> places;
  for (const auto& [place, ranks] : ranksIn) {
    if (places.size() == kMaxPlaces) {
      places.push_back("...");
      break;
    }
    places.push_back(fmt::format("rank{} {} in {}",
                                 ranks.size() == 1 ? "" : "s",
                                 fmt::join(ranks, ", "), place));
  }
  return fmt::format("all ranks wait, for {:.1f} s by now: {}", seconds,
                     fmt::join(places, "; "));
}

}  // namespace sbp::watchdog
