#include "runtime/proof/Waits.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/proof/Meetings.h"
#include "runtime/proof/Place.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

/// A simulation of the ranks of an entry, until none can go on.
class Run {
 public:
  explicit Run(const Meetings& meetings)
      : meetings_(meetings),
        position_(meetings.stops.size(), 0),
        missing_(meetings.meetings.size()),
        waiting_(meetings.meetings.size()),
        behind_(meetings.meetings.size()) {
    for (size_t i = 0; i < missing_.size(); ++i) {
      const Meeting& meeting = meetings.meetings[i];
      missing_[i] = meeting.parts.size() + meeting.after.size();
      for (int64_t before : meeting.after)
        behind_[before].push_back(static_cast<int64_t>(i));
    }
    for (size_t rank = 0; rank < position_.size(); ++rank)
      ready_.push_back(static_cast<int64_t>(rank));
    while (!ready_.empty()) {
      const int64_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
  }

  /// Returns the blocking point at which `rank` waits; the number of its
  /// blocking points if it has reached its end.
  int64_t positionOf(int64_t rank) const { return position_[rank]; }

  bool isAtEnd(int64_t rank) const {
    return position_[rank] ==
           static_cast<int64_t>(meetings_.stops[rank].size());
  }
  bool isOver(int64_t meeting) const { return missing_[meeting] == 0; }

 private:
  void advance(int64_t rank) {
    for (; !isAtEnd(rank); ++position_[rank]) {
      const Stop& stop = meetings_.stops[rank][position_[rank]];
      for (int64_t meeting : stop.waits)
        if (!isOver(meeting)) {
          waiting_[meeting].push_back(rank);
          return;
        }
      for (int64_t meeting : stop.reaches) reach(meeting);
    }
  }

  /// Records that a participant has arrived at `meeting`, or that a rendezvous
  /// before it on its channel is complete.
  void reach(int64_t meeting) {
    if (--missing_[meeting] > 0) return;
    ready_.insert(ready_.end(), waiting_[meeting].begin(),
                  waiting_[meeting].end());
    for (int64_t next : behind_[meeting]) reach(next);
  }

  const Meetings& meetings_;
  std::vector<int64_t> position_;  // by rank: index of its blocking point
  /// For each rendezvous, the number of arrivals and predecessors that are
  /// missing, the ranks that wait for it, and its successors on its channel.
  std::vector<size_t> missing_;
  std::vector<std::vector<int64_t>> waiting_;
  std::vector<std::vector<int64_t>> behind_;
  std::vector<int64_t> ready_;  // ranks that can go on
};

/// A reason why rank `rank` waits: rendezvous `meeting` is not complete,
/// because one participant has not arrived. The participant may be the rank
/// itself.
struct Wait {
  int64_t rank = 0;
  int64_t meeting = 0;
  size_t part = 0;  // index of the participant that has not arrived
};

class Deadlock {
 public:
  Deadlock(const plan::Plan& plan, const plan::Entry& entry,
           const Meetings& meetings, const Run& run)
      : plan_(plan), entry_(entry), meetings_(meetings), run_(run) {}

  /// Returns the error if any rank has not reached its end, otherwise OK.
  absl::Status find() const {
    for (size_t rank = 0; rank < meetings_.stops.size(); ++rank)
      SBP_RETURN_IF_ERROR(checkOrder(static_cast<int64_t>(rank)));
    std::vector<Wait> shortest;
    for (size_t rank = 0; rank < meetings_.stops.size(); ++rank) {
      if (run_.isAtEnd(static_cast<int64_t>(rank))) continue;
      std::vector<Wait> found = cycleThrough(static_cast<int64_t>(rank));
      if (!found.empty() &&
          (shortest.empty() || found.size() < shortest.size()))
        shortest = std::move(found);
    }
    if (!shortest.empty()) return tellCycle(shortest);
    for (size_t rank = 0; rank < meetings_.stops.size(); ++rank)
      for (const Wait& wait : waitsOf(static_cast<int64_t>(rank)))
        if (isForNothing(wait)) return error("{}", describeWait(wait));
    return checkAllAtEnd();
  }

 private:
  const Meeting::Part& partOf(const Wait& wait) const {
    return meetings_.meetings[wait.meeting].parts[wait.part];
  }

  bool isForNothing(const Wait& wait) const { return partOf(wait).stop < 0; }

  /// Returns the incomplete rendezvous for which `rank` waits.
  std::vector<int64_t> wantedBy(int64_t rank) const {
    std::vector<int64_t> wanted;
    if (run_.isAtEnd(rank)) return wanted;
    for (int64_t meeting : meetings_.stops[rank][run_.positionOf(rank)].waits)
      if (!run_.isOver(meeting)) wanted.push_back(meeting);
    return wanted;
  }

  /// Returns the participants that have not arrived at these rendezvous.
  std::vector<Wait> waitsOf(int64_t rank) const {
    std::vector<Wait> waits;
    for (int64_t wanted : wantedBy(rank)) {
      const Meeting& meeting = meetings_.meetings[wanted];
      for (size_t part = 0; part < meeting.parts.size(); ++part)
        if (!hasCome(meeting.parts[part]))
          waits.push_back({rank, wanted, part});
    }
    return waits;
  }

  /// Returns `wanted`, which is incomplete, and all incomplete rendezvous
  /// before it on its channel.
  std::vector<int64_t> channelUpTo(int64_t wanted) const {
    std::vector<int64_t> messages = {wanted};
    std::set<int64_t> seen = {wanted};
    for (size_t i = 0; i < messages.size(); ++i)
      for (int64_t before : meetings_.meetings[messages[i]].after)
        if (!run_.isOver(before) && seen.insert(before).second)
          messages.push_back(before);
    return messages;
  }

  /// Fails if `rank` waits for a message that is on a channel with two crossed
  /// messages, each of which must move after the other one. Without crossed
  /// messages, the oldest incomplete message of the channel waits for an
  /// arrival, and all later messages wait for the same arrival.
  absl::Status checkOrder(int64_t rank) const {
    for (int64_t wanted : wantedBy(rank)) {
      const std::vector<int64_t> messages = channelUpTo(wanted);
      for (int64_t first : messages)
        for (int64_t second : messages) {
          const Meeting& one = meetings_.meetings[first];
          const Meeting& other = meetings_.meetings[second];
          if (!isCrossed(one, other)) continue;
          return error(
              "rank {} starts to send {} before {}, and rank {} to receive "
              "them the other way round, so that neither goes",
              one.parts[0].rank, describeMessage(one), describeMessage(other),
              one.parts[1].rank);
        }
    }
    return absl::OkStatus();
  }

  /// Whether `one` is before `other` at the sender, but after it at the
  /// receiver.
  static bool isCrossed(const Meeting& one, const Meeting& other) {
    return one.isMessage && other.isMessage && one.parts[0].stop >= 0 &&
           other.parts[1].stop >= 0 &&
           one.parts[0].stop < other.parts[0].stop &&
           one.parts[1].stop > other.parts[1].stop;
  }

  /// Reports a rank that waits for ever, without a reason. Happens only if the
  /// plan has not passed its checks.
  absl::Status checkAllAtEnd() const {
    for (size_t i = 0; i < meetings_.stops.size(); ++i)
      if (const auto rank = static_cast<int64_t>(i); !run_.isAtEnd(rank))
        return error("rank {} ({}) waits for ever", rank,
                     placeOf(rank, run_.positionOf(rank)));
    return absl::OkStatus();
  }

  bool hasCome(const Meeting::Part& part) const {
    return part.stop >= 0 && part.stop < run_.positionOf(part.rank);
  }

  /// Returns the shortest cycle of waits through `start`, found by
  /// breadth-first search over the ranks; empty if there is none.
  std::vector<Wait> cycleThrough(int64_t start) const {
    struct Step {
      Wait wait;
      int64_t from = -1;  // index into `steps`
    };
    std::vector<Step> steps;
    std::set<int64_t> seen;
    const auto expand = [&](int64_t rank, int64_t from) {
      for (const Wait& wait : waitsOf(rank))
        if (!isForNothing(wait) && seen.insert(partOf(wait).rank).second)
          steps.push_back({wait, from});
    };
    expand(start, -1);
    for (size_t i = 0; i < steps.size(); ++i) {
      const int64_t next = partOf(steps[i].wait).rank;
      if (next != start) {
        expand(next, static_cast<int64_t>(i));
        continue;
      }
      std::vector<Wait> cycle;
      for (auto at = static_cast<int64_t>(i); at >= 0; at = steps[at].from)
        cycle.push_back(steps[at].wait);
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    return {};
  }

  absl::Status tellCycle(const std::vector<Wait>& cycle) const {
    std::string text;
    for (const Wait& wait : cycle)
      text += (text.empty() ? "" : "; ") + describeWait(wait);
    return error("ranks wait for one another, so that none goes on: {}", text);
  }

  /// "rank 0 (stage 0, forward, micro-batch 1) waits until rank 1 takes h,
  /// which it starts to do later (stage 1, forward, micro-batch 1)"
  std::string describeWait(const Wait& wait) const {
    const Meeting::Part& part = partOf(wait);
    std::string text =
        fmt::format("rank {} ({}) waits {}, which {}", wait.rank,
                    placeOf(wait.rank, run_.positionOf(wait.rank)),
                    describeWanted(wait), part.stop < 0 ? "never " : "");
    const bool isMessage = meetings_.meetings[wait.meeting].isMessage;
    text += !isMessage       ? "comes to it"
            : wait.part == 0 ? "starts to send it"
                             : "starts to take it";
    if (part.stop < 0) return text;
    return text + fmt::format(" later ({})", placeOf(part.rank, part.stop));
  }

  /// Describes the awaited rendezvous, and the participant that is missing.
  std::string describeWanted(const Wait& wait) const {
    const Meeting& meeting = meetings_.meetings[wait.meeting];
    const plan::Task& task = taskOf(wait.rank);
    if (!meeting.isMessage)
      return fmt::format("in {} for rank {}", nameOf(plan_, entry_, task),
                         partOf(wait).rank);
    const auto& end = std::get<plan::TransferTask>(task);
    const std::string& tensor = entry_.transfers[end.transfer].source.name;
    if (end.kind == plan::TransferTask::Kind::kFinishSend)
      return fmt::format("to have sent {} to rank {}", tensor,
                         meeting.parts[1].rank);
    return fmt::format("for {} of rank {}", tensor, meeting.parts[0].rank);
  }

  /// Describes a message by its tensor, and the point at which its sender
  /// starts it.
  std::string describeMessage(const Meeting& message) const {
    const Meeting::Part& sender = message.parts[0];
    const Place& place = meetings_.stops[sender.rank][sender.stop].place;
    const plan::EntryProgram& program = *meetings_.programs[sender.rank];
    const auto& task = std::get<plan::TransferTask>(program.tasks[place.task]);
    return fmt::format("{} ({})", entry_.transfers[task.transfer].source.name,
                       describe(program, place));
  }

  const plan::Task& taskOf(int64_t rank) const {
    const Place& place = meetings_.stops[rank][run_.positionOf(rank)].place;
    return meetings_.programs[rank]->tasks[place.task];
  }

  std::string placeOf(int64_t rank, int64_t stop) const {
    return describe(*meetings_.programs[rank],
                    meetings_.stops[rank][stop].place);
  }

  const plan::Plan& plan_;
  const plan::Entry& entry_;
  const Meetings& meetings_;
  const Run& run_;
};

/// Whether the simulation of whole programs already shows that all ranks reach
/// their ends.
bool allEndTogether(const plan::Plan& plan, size_t entry, Channel channel) {
  const absl::StatusOr<Meetings> meetings =
      meetingsOf(plan, entry, channel, Runners::kPrograms);
  if (!meetings.ok()) return false;
  const Run run(*meetings);
  for (size_t i = 0; i < meetings->stops.size(); ++i)
    if (!run.isAtEnd(static_cast<int64_t>(i))) return false;
  return true;
}

}  // namespace

absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel) {
  if (allEndTogether(plan, entry, channel)) return absl::OkStatus();
  SBP_ASSIGN_OR_RETURN(const Meetings meetings,
                       meetingsOf(plan, entry, channel, Runners::kRanks));
  const Run run(meetings);
  return Deadlock(plan, plan.entries[entry], meetings, run).find();
}

}  // namespace sbp::proof
