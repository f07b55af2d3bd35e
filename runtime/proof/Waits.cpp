#include "runtime/proof/Waits.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/proof/ProgramPoint.h"
#include "runtime/proof/RendezvousGraph.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

/// A simulation of the ranks of an entry, until none can go on.
class Simulation {
 public:
  explicit Simulation(const RendezvousGraph& graph)
      : graph_(graph),
        position_(graph.syncPoints.size(), 0),
        missing_(graph_.rendezvous.size()),
        waiting_(graph_.rendezvous.size()),
        successors_(graph_.rendezvous.size()) {
    for (size_t i = 0; i < missing_.size(); ++i) {
      const Rendezvous& rendezvous = graph_.rendezvous[i];
      missing_[i] = rendezvous.arrivals.size() + rendezvous.predecessors.size();
      for (int64_t before : rendezvous.predecessors)
        successors_[before].push_back(static_cast<int64_t>(i));
    }
    for (size_t rank = 0; rank < position_.size(); ++rank)
      ready_.push_back(static_cast<int64_t>(rank));
    while (!ready_.empty()) {
      const int64_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
  }

  /// Returns the synchronisation point at which `rank` waits; the number of its
  /// synchronisation points if it has reached its end.
  int64_t positionOf(int64_t rank) const { return position_[rank]; }

  bool isAtEnd(int64_t rank) const {
    return position_[rank] ==
           static_cast<int64_t>(graph_.syncPoints[rank].size());
  }
  bool isComplete(int64_t rendezvous) const {
    return missing_[rendezvous] == 0;
  }

 private:
  void advance(int64_t rank) {
    for (; !isAtEnd(rank); ++position_[rank]) {
      const SyncPoint& syncPoint = graph_.syncPoints[rank][position_[rank]];
      for (int64_t rendezvous : syncPoint.waits)
        if (!isComplete(rendezvous)) {
          waiting_[rendezvous].push_back(rank);
          return;
        }
      for (int64_t rendezvous : syncPoint.arrivals) arrive(rendezvous);
    }
  }

  /// Records that a participant has arrived at `rendezvous`, or that a
  /// predecessor of `rendezvous` is complete.
  void arrive(int64_t rendezvous) {
    if (--missing_[rendezvous] > 0) return;
    ready_.insert(ready_.end(), waiting_[rendezvous].begin(),
                  waiting_[rendezvous].end());
    for (int64_t next : successors_[rendezvous]) arrive(next);
  }

  const RendezvousGraph& graph_;
  std::vector<int64_t> position_;  // by rank: index into syncPoints[rank]
  /// For each rendezvous, the number of arrivals and predecessors that are
  /// missing, the ranks that wait for the rendezvous, and its successors.
  std::vector<size_t> missing_;
  std::vector<std::vector<int64_t>> waiting_;
  std::vector<std::vector<int64_t>> successors_;
  std::vector<int64_t> ready_;  // ranks that can go on
};

/// A reason why rank `rank` waits: rendezvous `rendezvous` is not complete,
/// because one participant has not arrived. The participant may be the rank
/// itself.
struct Wait {
  int64_t rank = 0;
  int64_t rendezvous = 0;
  size_t arrival = 0;  // index of the participant that has not arrived
};

class Deadlock {
 public:
  Deadlock(const plan::Plan& plan, const plan::Entry& entry,
           const RendezvousGraph& graph, const Simulation& simulation)
      : plan_(plan), entry_(entry), graph_(graph), simulation_(simulation) {}

  /// Returns the error if any rank has not reached its end, otherwise OK.
  absl::Status find() const {
    for (size_t rank = 0; rank < graph_.syncPoints.size(); ++rank)
      SBP_RETURN_IF_ERROR(checkOrder(static_cast<int64_t>(rank)));
    std::vector<Wait> shortest;
    for (size_t rank = 0; rank < graph_.syncPoints.size(); ++rank) {
      if (simulation_.isAtEnd(static_cast<int64_t>(rank))) continue;
      std::vector<Wait> found = cycleThrough(static_cast<int64_t>(rank));
      if (!found.empty() &&
          (shortest.empty() || found.size() < shortest.size()))
        shortest = std::move(found);
    }
    if (!shortest.empty()) return tellCycle(shortest);
    for (size_t rank = 0; rank < graph_.syncPoints.size(); ++rank)
      for (const Wait& wait : waitsOf(static_cast<int64_t>(rank)))
        if (isForNothing(wait)) return error("{}", describeWait(wait));
    return checkAllAtEnd();
  }

 private:
  const Arrival& arrivalOf(const Wait& wait) const {
    return graph_.rendezvous[wait.rendezvous].arrivals[wait.arrival];
  }

  bool isForNothing(const Wait& wait) const {
    return arrivalOf(wait).syncPoint < 0;
  }

  /// Returns the incomplete rendezvous for which `rank` waits.
  std::vector<int64_t> wantedBy(int64_t rank) const {
    std::vector<int64_t> wanted;
    if (simulation_.isAtEnd(rank)) return wanted;
    for (int64_t rendezvous :
         graph_.syncPoints[rank][simulation_.positionOf(rank)].waits)
      if (!simulation_.isComplete(rendezvous)) wanted.push_back(rendezvous);
    return wanted;
  }

  /// Returns a wait for each participant that has not arrived at a rendezvous
  /// for which `rank` waits.
  std::vector<Wait> waitsOf(int64_t rank) const {
    std::vector<Wait> waits;
    for (int64_t wanted : wantedBy(rank)) {
      const Rendezvous& rendezvous = graph_.rendezvous[wanted];
      for (size_t arrival = 0; arrival < rendezvous.arrivals.size(); ++arrival)
        if (!hasArrived(rendezvous.arrivals[arrival]))
          waits.push_back({rank, wanted, arrival});
    }
    return waits;
  }

  /// Returns `wanted`, which is incomplete, and all incomplete rendezvous that
  /// must be complete before it.
  std::vector<int64_t> channelUpTo(int64_t wanted) const {
    std::vector<int64_t> messages = {wanted};
    std::set<int64_t> seen = {wanted};
    for (size_t i = 0; i < messages.size(); ++i)
      for (int64_t before : graph_.rendezvous[messages[i]].predecessors)
        if (!simulation_.isComplete(before) && seen.insert(before).second)
          messages.push_back(before);
    return messages;
  }

  /// Fails if `rank` waits for a message on a channel that has two crossed
  /// messages. Messages are crossed if each must move after the other one.
  /// Without crossed messages, the oldest incomplete message of the channel
  /// waits for an arrival, and all later messages wait for the same arrival.
  absl::Status checkOrder(int64_t rank) const {
    for (int64_t wanted : wantedBy(rank)) {
      const std::vector<int64_t> messages = channelUpTo(wanted);
      for (int64_t first : messages)
        for (int64_t second : messages) {
          const Rendezvous& one = graph_.rendezvous[first];
          const Rendezvous& other = graph_.rendezvous[second];
          if (!isCrossed(one, other)) continue;
          return error(
              "rank {} starts to send {} before {}, and rank {} to receive "
              "them the other way round, so that neither goes",
              one.arrivals[0].rank, describeMessage(one),
              describeMessage(other), one.arrivals[1].rank);
        }
    }
    return absl::OkStatus();
  }

  /// Whether `one` is before `other` at the sender, but after it at the
  /// receiver.
  static bool isCrossed(const Rendezvous& one, const Rendezvous& other) {
    return one.isMessage && other.isMessage && one.arrivals[0].syncPoint >= 0 &&
           other.arrivals[1].syncPoint >= 0 &&
           one.arrivals[0].syncPoint < other.arrivals[0].syncPoint &&
           one.arrivals[1].syncPoint > other.arrivals[1].syncPoint;
  }

  /// Reports a rank that waits for ever, without a reason. Happens only if the
  /// plan has not passed its checks.
  absl::Status checkAllAtEnd() const {
    for (size_t i = 0; i < graph_.syncPoints.size(); ++i)
      if (const auto rank = static_cast<int64_t>(i); !simulation_.isAtEnd(rank))
        return error("rank {} ({}) waits for ever", rank,
                     describePoint(rank, simulation_.positionOf(rank)));
    return absl::OkStatus();
  }

  bool hasArrived(const Arrival& arrival) const {
    return arrival.syncPoint >= 0 &&
           arrival.syncPoint < simulation_.positionOf(arrival.rank);
  }

  /// Returns the shortest cycle of waits through `start`, found by
  /// breadth-first search over the ranks; empty if there is none.
  std::vector<Wait> cycleThrough(int64_t start) const {
    struct Visit {
      Wait wait;
      int64_t from = -1;  // index into `visits`
    };
    std::vector<Visit> visits;
    std::set<int64_t> seen;
    const auto expand = [&](int64_t rank, int64_t from) {
      for (const Wait& wait : waitsOf(rank))
        if (!isForNothing(wait) && seen.insert(arrivalOf(wait).rank).second)
          visits.push_back({wait, from});
    };
    expand(start, -1);
    for (size_t i = 0; i < visits.size(); ++i) {
      const int64_t next = arrivalOf(visits[i].wait).rank;
      if (next != start) {
        expand(next, static_cast<int64_t>(i));
        continue;
      }
      std::vector<Wait> cycle;
      for (auto at = static_cast<int64_t>(i); at >= 0; at = visits[at].from)
        cycle.push_back(visits[at].wait);
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

  /// Returns "rank 0 (stage 0, forward, micro-batch 1) waits to have sent h to
  /// rank 1, which starts to take it later (stage 1, forward, micro-batch 1)".
  std::string describeWait(const Wait& wait) const {
    const Arrival& arrival = arrivalOf(wait);
    std::string text = fmt::format(
        "rank {} ({}) waits {}, which {}", wait.rank,
        describePoint(wait.rank, simulation_.positionOf(wait.rank)),
        describeWanted(wait), arrival.syncPoint < 0 ? "never " : "");
    const bool isMessage = graph_.rendezvous[wait.rendezvous].isMessage;
    text += !isMessage          ? "comes to it"
            : wait.arrival == 0 ? "starts to send it"
                                : "starts to take it";
    if (arrival.syncPoint < 0) return text;
    return text + fmt::format(" later ({})",
                              describePoint(arrival.rank, arrival.syncPoint));
  }

  /// Describes the awaited rendezvous, and the participant that is missing.
  std::string describeWanted(const Wait& wait) const {
    const Rendezvous& rendezvous = graph_.rendezvous[wait.rendezvous];
    const plan::Task& task = taskOf(wait.rank);
    if (!rendezvous.isMessage)
      return fmt::format("in {} for rank {}", nameOf(plan_, entry_, task),
                         arrivalOf(wait).rank);
    const auto& end = std::get<plan::TransferTask>(task);
    const std::string& tensor = entry_.transfers[end.transfer].source.name;
    if (end.kind == plan::TransferTask::Kind::kFinishSend)
      return fmt::format("to have sent {} to rank {}", tensor,
                         rendezvous.arrivals[1].rank);
    return fmt::format("for {} of rank {}", tensor,
                       rendezvous.arrivals[0].rank);
  }

  /// Describes a message by its tensor, and the point at which its sender
  /// starts it.
  std::string describeMessage(const Rendezvous& message) const {
    const Arrival& sender = message.arrivals[0];
    const ProgramPoint& point =
        graph_.syncPoints[sender.rank][sender.syncPoint].point;
    const plan::EntryProgram& program = *graph_.programs[sender.rank];
    const auto& task = std::get<plan::TransferTask>(program.tasks[point.task]);
    return fmt::format("{} ({})", entry_.transfers[task.transfer].source.name,
                       describe(program, point));
  }

  const plan::Task& taskOf(int64_t rank) const {
    const ProgramPoint& point =
        graph_.syncPoints[rank][simulation_.positionOf(rank)].point;
    return graph_.programs[rank]->tasks[point.task];
  }

  std::string describePoint(int64_t rank, int64_t syncPoint) const {
    return describe(*graph_.programs[rank],
                    graph_.syncPoints[rank][syncPoint].point);
  }

  const plan::Plan& plan_;
  const plan::Entry& entry_;
  const RendezvousGraph& graph_;
  const Simulation& simulation_;
};

/// Whether the simulation of whole programs already shows that all ranks reach
/// their ends.
bool allEndTogether(const plan::Plan& plan, size_t entry, Channel channel) {
  const absl::StatusOr<RendezvousGraph> graph =
      buildRendezvousGraph(plan, entry, channel, Granularity::kPrograms);
  if (!graph.ok()) return false;
  const Simulation simulation(*graph);
  for (size_t i = 0; i < graph->syncPoints.size(); ++i)
    if (!simulation.isAtEnd(static_cast<int64_t>(i))) return false;
  return true;
}

}  // namespace

absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel) {
  if (allEndTogether(plan, entry, channel)) return absl::OkStatus();
  SBP_ASSIGN_OR_RETURN(
      const RendezvousGraph graph,
      buildRendezvousGraph(plan, entry, channel, Granularity::kRanks));
  const Simulation simulation(graph);
  return Deadlock(plan, plan.entries[entry], graph, simulation).find();
}

}  // namespace sbp::proof
