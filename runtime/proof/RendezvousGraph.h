// The waits between ranks in one entry, as a graph for the deadlock check
// (Waits.h).
//
// Each rank has a list of synchronisation points, in the order in which the
// rank runs. At such a point the rank waits until some rendezvous are complete,
// then arrives at other rendezvous; either may be absent. There are two kinds
// of rendezvous:
//
// - a message from one rank to another one, complete when both ranks have
//   started their ends and, on in-order channels (Channel::kInOrder), the
//   messages before it on its channel are complete. A channel has the messages
//   from one sender to one receiver;
// - a collective, complete when all its members have come.
//
//             arrives at       rendezvous       waits for
//
//   rank 0   start_send a ----+             +--- finish_send a
//                             +- message a -+
//   rank 1   start_receive a -+             +--- finish_receive a

#ifndef RUNTIME_PROOF_RENDEZVOUSGRAPH_H_
#define RUNTIME_PROOF_RENDEZVOUSGRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plan/Plan.h"
#include "runtime/proof/ProgramPoint.h"
#include "runtime/proof/Waits.h"

namespace sbp::proof {

/// A point where a rank waits for rendezvous, arrives at rendezvous, or both.
struct SyncPoint {
  ProgramPoint point;  // the task that waits or arrives
  /// Rendezvous that must be complete before the rank goes on, and rendezvous
  /// at which it then arrives: indices into RendezvousGraph::rendezvous.
  std::vector<int64_t> waits, arrivals;
};

/// The arrival of one participant, which is a rank, at a rendezvous.
struct Arrival {
  int64_t rank = 0;
  /// Index into RendezvousGraph::syncPoints[rank]; -1: the rank never arrives.
  int64_t syncPoint = -1;
};

/// A rendezvous. It is complete when all its participants have arrived and its
/// predecessors are complete.
struct Rendezvous {
  bool isMessage = false;  // false: a collective
  /// One per participant; of a message, the sender and then the receiver.
  std::vector<Arrival> arrivals;
  /// For a message on an in-order channel: the messages of the channel that the
  /// sender and the receiver start just before this one, as indices into
  /// RendezvousGraph::rendezvous. With Channel::kInOrderOfReceives, the
  /// messages that the receiver takes just before, from ranks of the same
  /// group. Otherwise empty.
  std::vector<int64_t> predecessors;
};

/// The unit of the simulation: a rank, or a whole program.
enum class Granularity {
  /// Each rank is a unit.
  kRanks,
  /// All ranks of a program are one unit. It waits for everything that one of
  /// its ranks might wait for. This check is sufficient: if all programs reach
  /// their ends, so do the ranks, because they wait for less. The check is
  /// cheaper, because a plan with many ranks often has few programs.
  kPrograms,
};

/// The synchronisation points and rendezvous of an entry. With
/// Granularity::kPrograms, all "ranks" here and in Arrival are indices of
/// programs.
struct RendezvousGraph {
  std::vector<const plan::EntryProgram*> programs;  // by rank
  std::vector<std::vector<SyncPoint>> syncPoints;   // by rank, then in order
  std::vector<Rendezvous> rendezvous;
};

/// Returns the synchronisation points and rendezvous of entry `entry`, an index
/// into Plan::entries. The graph covers plan::stepsThatShowAll steps.
///
/// Fails if members come to the same collective rendezvous for different
/// micro-batches or steps, or with different collectives. The latter, which is
/// found by plan::TaskValues::collectiveIndex, is not checked for plans without
/// values.
absl::StatusOr<RendezvousGraph> buildRendezvousGraph(const plan::Plan& plan,
                                                     size_t entry,
                                                     Channel channel,
                                                     Granularity granularity);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_RENDEZVOUSGRAPH_H_
