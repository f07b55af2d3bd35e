#include "runtime/proof/Meetings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "runtime/communication/GroupTransfer.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

using communication::Parcel;
using communication::PreparedTransfer;
using EndKind = plan::TransferTask::Kind;

bool involvesOthers(const plan::Task& task) {
  if (const auto* collective = std::get_if<plan::CollectiveTask>(&task))
    return !plan::isLocal(collective->kind);
  return std::holds_alternative<plan::TransferTask>(task);
}

/// Returns the points at which tasks of `program` involve other ranks, in the
/// order in which they run, in `numSteps` steps. `lag` is plan::Entry::lag.
std::vector<Place> placesOf(const plan::EntryProgram& program, int64_t lag,
                            int64_t numSteps) {
  std::vector<Place> places;
  const plan::Turns turns = plan::turnsOf(program, lag, numSteps);
  for (int64_t turn = turns.first; turn < turns.last; ++turn)
    for (const plan::Stretch& stretch :
         plan::stretchesOf(program, lag, turn, numSteps))
      for (int64_t task = stretch.first; task < stretch.last; ++task)
        if (involvesOthers(program.tasks[task]))
          places.push_back(
              {task, stretch.loop, stretch.block, stretch.time, stretch.step});
  return places;
}

class Finder {
 public:
  Finder(const plan::Plan& plan, size_t entry, Channel channel, Runners runners)
      : plan_(plan), entry_(entry), channel_(channel), runners_(runners) {}

  absl::StatusOr<Meetings> run() {
    const size_t numRunners =
        runners_ == Runners::kRanks ? plan_.numRanks() : plan_.programs.size();
    result_.programs.resize(numRunners);
    result_.stops.resize(numRunners);
    sent_.resize(numRunners);
    received_.resize(numRunners);
    for (size_t i = 0; i < plan_.programs.size(); ++i) {
      const plan::Program& program = plan_.programs[i];
      const std::vector<Place> places =
          placesOf(program.entries[entry_], plan_.entries[entry_].lag,
                   plan::stepsThatShowAll(plan_, entry_));
      const std::vector<int64_t> itself = {static_cast<int64_t>(i)};
      for (int64_t runner :
           runners_ == Runners::kRanks ? program.ranks : itself) {
        result_.programs[runner] = &program.entries[entry_];
        for (const Place& place : places) addStop(runner, place);
      }
    }
    SBP_RETURN_IF_ERROR(checkCollectives());
    if (channel_ == Channel::kInOrder) putInOrder();
    return std::move(result_);
  }

 private:
  /// Identifies a collective: its group, its axes, the first of its members,
  /// and the number of earlier collectives of these members.
  using CollectiveKey =
      std::tuple<int64_t, std::vector<int64_t>, int64_t, int64_t>;
  /// Identifies a message: its transfer, step and micro-batch, sender and
  /// receiver.
  using MessageKey = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;

  int64_t addMeeting(bool isMessage, size_t numParts) {
    result_.meetings.push_back({isMessage, {}, {}});
    result_.meetings.back().parts.resize(numParts);
    return static_cast<int64_t>(result_.meetings.size()) - 1;
  }

  void addStop(int64_t rank, const Place& place) {
    const plan::Task& task = result_.programs[rank]->tasks[place.task];
    if (const auto* collective = std::get_if<plan::CollectiveTask>(&task))
      addCollective(rank, place, *collective);
    else
      addEnd(rank, place, std::get<plan::TransferTask>(task));
  }

  /// Adds two blocking points for a collective: one to arrive at it, and one to
  /// wait for it. A bucket becomes one rendezvous per task, in sequence. This
  /// is equivalent to a single rendezvous: all members have the same sequence,
  /// so the last rendezvous is complete only when all members have come to the
  /// bucket.
  void addCollective(int64_t rank, const Place& place,
                     const plan::CollectiveTask& task) {
    const std::vector<int64_t>& members = membersOf(task, rank);
    if (members.size() < 2) return;
    // All ranks of a program run together, so the axes make no difference.
    const std::vector<int64_t> axes =
        runners_ == Runners::kRanks ? task.axes : std::vector<int64_t>();
    int64_t& count = counts_[{task.group, axes, rank}];
    const auto [known, isNew] = collectives_.try_emplace(
        CollectiveKey(task.group, axes, members[0], count++), -1);
    if (isNew) {
      known->second = addMeeting(/*isMessage=*/false, members.size());
      for (size_t i = 0; i < members.size(); ++i)
        result_.meetings[known->second].parts[i].rank = members[i];
    }
    std::vector<Stop>& stops = result_.stops[rank];
    const size_t me =
        std::find(members.begin(), members.end(), rank) - members.begin();
    result_.meetings[known->second].parts[me].stop =
        static_cast<int64_t>(stops.size());
    stops.push_back({place, {}, {known->second}});
    stops.push_back({place, {known->second}, {}});
  }

  /// Returns the programs whose ranks are in `group`.
  std::vector<int64_t> programsOf(int64_t group) const {
    std::vector<int64_t> programs;
    for (size_t i = 0; i < plan_.programs.size(); ++i)
      if (plan_.groups[group].has(plan_.programs[i].ranks[0]))
        programs.push_back(static_cast<int64_t>(i));
    return programs;
  }

  /// Returns the members of `task` when `rank` runs it: the ranks that differ
  /// from it only in their coordinates on the task's axes. For programs: all
  /// programs of the group.
  const std::vector<int64_t>& membersOf(const plan::CollectiveTask& task,
                                        int64_t rank) {
    std::vector<int64_t>& members = members_[{task.group, task.axes, rank}];
    if (!members.empty()) return members;
    if (runners_ == Runners::kPrograms) return members = programsOf(task.group);
    const plan::Group& group = plan_.groups[task.group];
    const auto othersOf = [&](int64_t of) {
      std::vector<int64_t> coordinates = plan::coordinatesOf(group, of);
      for (int64_t axis : task.axes) coordinates[axis] = 0;
      return coordinates;
    };
    const std::vector<int64_t> own = othersOf(rank);
    for (int64_t place = 0; place < group.size(); ++place)
      if (othersOf(group.rankAt(place)) == own)
        members.push_back(group.rankAt(place));
    return members;
  }

  /// Returns the ranks to which `rank` sends parts of a transfer if `isSent`,
  /// otherwise the ranks from which it receives parts.
  const std::vector<int64_t>& peersOf(int64_t transfer, int64_t rank,
                                      bool isSent) {
    const auto [known, isNew] = peers_.try_emplace({transfer, rank, isSent});
    std::vector<int64_t>& peers = known->second;
    if (!isNew) return peers;
    const plan::Transfer& whole = plan_.entries[entry_].transfers[transfer];
    if (runners_ == Runners::kPrograms)
      return peers =
                 programsOf(isSent ? whole.target.group : whole.source.group);
    const PreparedTransfer prepared =
        communication::prepareTransfer(whole, plan_.groups, rank);
    for (const Parcel& parcel : isSent ? prepared.sent : prepared.received)
      peers.push_back(parcel.peer);
    return peers;
  }

  void addEnd(int64_t rank, const Place& place,
              const plan::TransferTask& task) {
    const bool isSent =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kFinishSend;
    const bool isStart =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kStartReceive;
    const auto number = static_cast<int64_t>(result_.stops[rank].size());
    Stop stop = {place, {}, {}};
    for (int64_t peer : peersOf(task.transfer, rank, isSent)) {
      const auto [sender, receiver] =
          isSent ? std::pair(rank, peer) : std::pair(peer, rank);
      const int64_t message =
          messageOf({task.transfer, place.step, place.time, sender, receiver});
      if (!isStart) {
        stop.waits.push_back(message);
        continue;
      }
      stop.reaches.push_back(message);
      result_.meetings[message].parts[isSent ? 0 : 1].stop = number;
      (isSent ? sent_ : received_)[rank][peer].push_back(message);
    }
    result_.stops[rank].push_back(std::move(stop));
  }

  int64_t messageOf(const MessageKey& key) {
    const auto [known, isNew] = messages_.try_emplace(key, -1);
    if (isNew) {
      known->second = addMeeting(/*isMessage=*/true, 2);
      std::vector<Meeting::Part>& parts = result_.meetings[known->second].parts;
      parts[0].rank = std::get<3>(key);
      parts[1].rank = std::get<4>(key);
    }
    return known->second;
  }

  /// Fails if members come to the same rendezvous with different collectives,
  /// or for different micro-batches or steps.
  absl::Status checkCollectives() const {
    for (const Meeting& meeting : result_.meetings) {
      if (meeting.isMessage) continue;
      for (const Meeting::Part& part : meeting.parts)
        if (part.stop >= 0)
          SBP_RETURN_IF_ERROR(checkSame(meeting.parts[0], part));
    }
    return absl::OkStatus();
  }

  absl::Status checkSame(const Meeting::Part& left,
                         const Meeting::Part& right) const {
    if (left.stop < 0) return absl::OkStatus();
    const Place& leftPlace = result_.stops[left.rank][left.stop].place;
    const Place& rightPlace = result_.stops[right.rank][right.stop].place;
    const int64_t leftNumber = numberOf(left.rank, leftPlace);
    const int64_t rightNumber = numberOf(right.rank, rightPlace);
    if (leftNumber == rightNumber && leftPlace.time == rightPlace.time &&
        leftPlace.step == rightPlace.step)
      return absl::OkStatus();
    const auto describeOne = [&](int64_t rank, const Place& place) {
      const plan::EntryProgram& program = *result_.programs[rank];
      return fmt::format(
          "{} ({})",
          nameOf(plan_, plan_.entries[entry_], program.tasks[place.task]),
          describe(program, place));
    };
    return error(
        "rank {} comes to collective {} of its group, {}, where rank {} comes "
        "to collective {}, {}",
        left.rank, leftNumber, describeOne(left.rank, leftPlace), right.rank,
        rightNumber, describeOne(right.rank, rightPlace));
  }

  int64_t numberOf(int64_t rank, const Place& place) const {
    const plan::EntryValues& values = result_.programs[rank]->values;
    return values.areUnknown() ? 0 : values.tasks[place.task].meeting;
  }

  /// Makes each message wait for the previous one of its sender to the same
  /// receiver, and for the previous one that its receiver has started.
  void putInOrder() {
    for (const auto* ends : {&sent_, &received_})
      for (const auto& byPeer : *ends)
        for (const auto& [peer, messages] : byPeer)
          for (size_t i = 1; i < messages.size(); ++i)
            result_.meetings[messages[i]].after.push_back(messages[i - 1]);
  }

  const plan::Plan& plan_;
  size_t entry_;
  Channel channel_;
  Runners runners_;
  Meetings result_;
  std::map<std::tuple<int64_t, std::vector<int64_t>, int64_t>, int64_t>
      counts_;  // number of collectives so far, by group, axes and rank
  std::map<std::tuple<int64_t, std::vector<int64_t>, int64_t>,
           std::vector<int64_t>>
      members_;
  std::map<CollectiveKey, int64_t> collectives_;  // indices of rendezvous
  std::map<MessageKey, int64_t> messages_;        // indices of rendezvous
  std::map<std::tuple<int64_t, int64_t, bool>, std::vector<int64_t>>
      peers_;  // by transfer, rank, and whether the rank sends
  /// Messages that each rank has started, by rank and peer, in order.
  std::vector<std::map<int64_t, std::vector<int64_t>>> sent_, received_;
};

}  // namespace

absl::StatusOr<Meetings> meetingsOf(const plan::Plan& plan, size_t entry,
                                    Channel channel, Runners runners) {
  return Finder(plan, entry, channel, runners).run();
}

}  // namespace sbp::proof
