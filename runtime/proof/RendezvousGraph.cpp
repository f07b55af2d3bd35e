#include "runtime/proof/RendezvousGraph.h"

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
/// order in which they run, in `numSteps` steps. `maxSkew` is
/// plan::Entry::maxSkew.
std::vector<ProgramPoint> pointsOf(const plan::EntryProgram& program,
                                   int64_t maxSkew, int64_t numSteps) {
  std::vector<ProgramPoint> points;
  const plan::IterationRange iterations =
      plan::iterationsOf(program, maxSkew, numSteps);
  for (int64_t iteration = iterations.first; iteration < iterations.last;
       ++iteration)
    for (const plan::TaskRange& range :
         plan::taskRangesOf(program, maxSkew, iteration, numSteps))
      for (int64_t task = range.first; task < range.last; ++task)
        if (involvesOthers(program.tasks[task]))
          points.push_back(
              {task, range.loop, range.block, range.microBatch, range.step});
  return points;
}

class GraphBuilder {
 public:
  GraphBuilder(const plan::Plan& plan, size_t entry, Channel channel,
               Granularity granularity)
      : plan_(plan),
        entry_(entry),
        channel_(channel),
        granularity_(granularity) {}

  absl::StatusOr<RendezvousGraph> run() {
    const size_t numUnits = granularity_ == Granularity::kRanks
                                ? plan_.numRanks()
                                : plan_.programs.size();
    result_.programs.resize(numUnits);
    result_.syncPoints.resize(numUnits);
    sent_.resize(numUnits);
    received_.resize(numUnits);
    taken_.resize(numUnits);
    for (size_t i = 0; i < plan_.programs.size(); ++i) {
      const plan::Program& program = plan_.programs[i];
      const std::vector<ProgramPoint> points =
          pointsOf(program.entries[entry_], plan_.entries[entry_].maxSkew,
                   plan::stepsThatShowAll(plan_, entry_));
      const std::vector<int64_t> itself = {static_cast<int64_t>(i)};
      for (int64_t unit :
           granularity_ == Granularity::kRanks ? program.ranks : itself) {
        result_.programs[unit] = &program.entries[entry_];
        for (const ProgramPoint& point : points) addSyncPoint(unit, point);
      }
    }
    SBP_RETURN_IF_ERROR(checkCollectives());
    if (channel_ == Channel::kInOrder) putInOrder();
    if (channel_ == Channel::kInOrderOfReceives) putInOrderOfReceives();
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

  int64_t addRendezvous(bool isMessage, size_t numArrivals) {
    result_.rendezvous.push_back({isMessage, {}, {}});
    result_.rendezvous.back().arrivals.resize(numArrivals);
    return static_cast<int64_t>(result_.rendezvous.size()) - 1;
  }

  void addSyncPoint(int64_t rank, const ProgramPoint& point) {
    const plan::Task& task = result_.programs[rank]->tasks[point.task];
    if (const auto* collective = std::get_if<plan::CollectiveTask>(&task))
      addCollective(rank, point, *collective);
    else
      addEnd(rank, point, std::get<plan::TransferTask>(task));
  }

  /// Adds two synchronisation points for a collective: one to arrive at it, and
  /// one to wait for it. A bucket becomes one rendezvous per task, in sequence.
  /// This is equivalent to a single rendezvous: all members have the same
  /// sequence, and wait for no other rank in between. So the last rendezvous is
  /// complete only when all members have come to the bucket.
  void addCollective(int64_t rank, const ProgramPoint& point,
                     const plan::CollectiveTask& task) {
    const std::vector<int64_t>& members = membersOf(task, rank);
    if (members.size() < 2) return;
    // All ranks of a program run together, so the axes make no difference.
    const std::vector<int64_t> axes = granularity_ == Granularity::kRanks
                                          ? task.axes
                                          : std::vector<int64_t>();
    int64_t& count = counts_[{task.group, axes, rank}];
    const auto [known, isNew] = collectives_.try_emplace(
        CollectiveKey(task.group, axes, members[0], count++), -1);
    if (isNew) {
      known->second = addRendezvous(/*isMessage=*/false, members.size());
      for (size_t i = 0; i < members.size(); ++i)
        result_.rendezvous[known->second].arrivals[i].rank = members[i];
    }
    std::vector<SyncPoint>& syncPoints = result_.syncPoints[rank];
    const size_t me =
        std::find(members.begin(), members.end(), rank) - members.begin();
    result_.rendezvous[known->second].arrivals[me].syncPoint =
        static_cast<int64_t>(syncPoints.size());
    syncPoints.push_back({point, {}, {known->second}});
    syncPoints.push_back({point, {known->second}, {}});
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
  /// from `rank` only in their coordinates on the task's axes. With
  /// Granularity::kPrograms, returns all programs of the group.
  const std::vector<int64_t>& membersOf(const plan::CollectiveTask& task,
                                        int64_t rank) {
    std::vector<int64_t>& members = members_[{task.group, task.axes, rank}];
    if (!members.empty()) return members;
    if (granularity_ == Granularity::kPrograms)
      return members = programsOf(task.group);
    const plan::Group& group = plan_.groups[task.group];
    const auto othersOf = [&](int64_t of) {
      std::vector<int64_t> coordinates = plan::coordinatesOf(group, of);
      for (int64_t axis : task.axes) coordinates[axis] = 0;
      return coordinates;
    };
    const std::vector<int64_t> own = othersOf(rank);
    for (int64_t position = 0; position < group.size(); ++position)
      if (othersOf(group.rankAt(position)) == own)
        members.push_back(group.rankAt(position));
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
    if (granularity_ == Granularity::kPrograms)
      return peers =
                 programsOf(isSent ? whole.target.group : whole.source.group);
    const PreparedTransfer prepared =
        communication::prepareTransfer(whole, plan_.groups, rank);
    for (const Parcel& parcel : isSent ? prepared.sent : prepared.received)
      peers.push_back(parcel.peer);
    return peers;
  }

  void addEnd(int64_t rank, const ProgramPoint& point,
              const plan::TransferTask& task) {
    const bool isSent =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kFinishSend;
    const bool isStart =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kStartReceive;
    const auto number = static_cast<int64_t>(result_.syncPoints[rank].size());
    SyncPoint syncPoint = {point, {}, {}};
    for (int64_t peer : peersOf(task.transfer, rank, isSent)) {
      const auto [sender, receiver] =
          isSent ? std::pair(rank, peer) : std::pair(peer, rank);
      const int64_t message = messageOf(
          {task.transfer, point.step, point.microBatch, sender, receiver});
      if (!isStart) {
        syncPoint.waits.push_back(message);
        if (isSent && channel_ == Channel::kInOrderOfReceives)
          addAllThatIsTaken(task.transfer, point, peer, syncPoint.waits);
        continue;
      }
      syncPoint.arrivals.push_back(message);
      result_.rendezvous[message].arrivals[isSent ? 0 : 1].syncPoint = number;
      const int64_t channel =
          plan_.entries[entry_].transfers[task.transfer].channel;
      (isSent ? sent_ : received_)[rank][{peer, channel}].push_back(message);
    }
    if (task.kind == EndKind::kStartReceive && !syncPoint.arrivals.empty())
      taken_[rank][plan_.entries[entry_].transfers[task.transfer].source.group]
          .push_back(syncPoint.arrivals);
    result_.syncPoints[rank].push_back(std::move(syncPoint));
  }

  /// Adds to `waits` all messages that `receiver` takes when it receives
  /// `transfer` at `point`.
  void addAllThatIsTaken(int64_t transfer, const ProgramPoint& point,
                         int64_t receiver, std::vector<int64_t>& waits) {
    const std::vector<int64_t> senders =
        peersOf(transfer, receiver, /*isSent=*/false);
    for (int64_t sender : senders)
      waits.push_back(messageOf(
          {transfer, point.step, point.microBatch, sender, receiver}));
  }

  int64_t messageOf(const MessageKey& key) {
    const auto [known, isNew] = messages_.try_emplace(key, -1);
    if (isNew) {
      known->second = addRendezvous(/*isMessage=*/true, 2);
      std::vector<Arrival>& arrivals =
          result_.rendezvous[known->second].arrivals;
      arrivals[0].rank = std::get<3>(key);
      arrivals[1].rank = std::get<4>(key);
    }
    return known->second;
  }

  /// Fails if members come to the same rendezvous with different collectives,
  /// or for different micro-batches or steps.
  absl::Status checkCollectives() const {
    for (const Rendezvous& rendezvous : result_.rendezvous) {
      if (rendezvous.isMessage) continue;
      for (const Arrival& arrival : rendezvous.arrivals)
        if (arrival.syncPoint >= 0)
          SBP_RETURN_IF_ERROR(checkSame(rendezvous.arrivals[0], arrival));
    }
    return absl::OkStatus();
  }

  absl::Status checkSame(const Arrival& left, const Arrival& right) const {
    if (left.syncPoint < 0) return absl::OkStatus();
    const ProgramPoint& leftPoint =
        result_.syncPoints[left.rank][left.syncPoint].point;
    const ProgramPoint& rightPoint =
        result_.syncPoints[right.rank][right.syncPoint].point;
    const int64_t leftNumber = numberOf(left.rank, leftPoint);
    const int64_t rightNumber = numberOf(right.rank, rightPoint);
    if (leftNumber == rightNumber &&
        leftPoint.microBatch == rightPoint.microBatch &&
        leftPoint.step == rightPoint.step)
      return absl::OkStatus();
    const auto describeOne = [&](int64_t rank, const ProgramPoint& point) {
      const plan::EntryProgram& program = *result_.programs[rank];
      return fmt::format(
          "{} ({})",
          nameOf(plan_, plan_.entries[entry_], program.tasks[point.task]),
          describe(program, point));
    };
    return error(
        "rank {} comes to collective {} of its group, {}, where rank {} comes "
        "to collective {}, {}",
        left.rank, leftNumber, describeOne(left.rank, leftPoint), right.rank,
        rightNumber, describeOne(right.rank, rightPoint));
  }

  int64_t numberOf(int64_t rank, const ProgramPoint& point) const {
    const plan::EntryValues& values = result_.programs[rank]->values;
    return values.areUnknown() ? 0 : values.tasks[point.task].collectiveIndex;
  }

  /// Makes each message wait for two others of its channel: the one
  /// that the sender has started just before it, and the one that the receiver
  /// has started just before it.
  void putInOrder() {
    for (const auto* ends : {&sent_, &received_})
      for (const auto& byPeer : *ends)
        for (const auto& [peerAndChannel, messages] : byPeer)
          for (size_t i = 1; i < messages.size(); ++i)
            result_.rendezvous[messages[i]].predecessors.push_back(
                messages[i - 1]);
  }

  /// Makes each message wait for all messages of the receive that its receiver
  /// has started just before from the same group.
  void putInOrderOfReceives() {
    for (const auto& ofRank : taken_)
      for (const auto& [group, receives] : ofRank)
        for (size_t i = 1; i < receives.size(); ++i)
          for (int64_t message : receives[i])
            result_.rendezvous[message].predecessors = receives[i - 1];
  }

  const plan::Plan& plan_;
  size_t entry_;
  Channel channel_;
  Granularity granularity_;
  RendezvousGraph result_;
  /// Number of collectives so far, by group, axes and rank.
  std::map<std::tuple<int64_t, std::vector<int64_t>, int64_t>, int64_t> counts_;
  std::map<std::tuple<int64_t, std::vector<int64_t>, int64_t>,
           std::vector<int64_t>>
      members_;
  std::map<CollectiveKey, int64_t> collectives_;  // indices of rendezvous
  std::map<MessageKey, int64_t> messages_;        // indices of rendezvous
  /// Peers of a rank in a transfer, by transfer, rank, and whether it sends.
  std::map<std::tuple<int64_t, int64_t, bool>, std::vector<int64_t>> peers_;
  /// Messages that each rank has started, by rank, and by peer and channel, in
  /// order.
  std::vector<std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>>>
      sent_, received_;
  /// The messages of each receive that a rank has started, by rank and source
  /// group, in order.
  std::vector<std::map<int64_t, std::vector<std::vector<int64_t>>>> taken_;
};

}  // namespace

absl::StatusOr<RendezvousGraph> buildRendezvousGraph(const plan::Plan& plan,
                                                     size_t entry,
                                                     Channel channel,
                                                     Granularity granularity) {
  return GraphBuilder(plan, entry, channel, granularity).run();
}

}  // namespace sbp::proof
