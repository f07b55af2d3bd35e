// The waits between ranks in one entry, as a graph for the deadlock check
// (Waits.h).
//
// Each rank has a list of synchronisation points, in the order in which the
// rank runs. At such a point the rank first waits until some rendezvous are
// complete, then arrives at other rendezvous; there may be none to wait for, or
// none to arrive at. There are two kinds of rendezvous:
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
  /// `waits`: the rendezvous that must be complete before the rank goes on.
  /// `arrivals`: the rendezvous at which the rank then arrives. Both are
  /// indices into RendezvousGraph::rendezvous.
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
  /// One per participant. A message has two: the sender, then the receiver.
  std::vector<Arrival> arrivals;
  /// Rendezvous that must be complete before this one can be, as indices into
  /// RendezvousGraph::rendezvous. With Channel::kInOrder, a message has up to
  /// two: the message of the same channel that the sender starts just before
  /// this one, and the one that the receiver starts just before. With
  /// Channel::kInOrderOfReceives, a message has those that the receiver takes
  /// just before, from ranks of the same group. Otherwise empty.
  std::vector<int64_t> predecessors;
};

/// The unit of the simulation: a rank, or a whole program.
enum class Granularity {
  /// Each rank is a unit.
  kRanks,
  /// All ranks of a program are one unit. The unit waits for everything for
  /// which one of its ranks might wait. If all programs reach their ends in
  /// this simulation, then all ranks reach their ends too, because each rank
  /// waits for less. The converse does not hold. The check is cheaper, because
  /// a plan with many ranks often has few programs.
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

/// Returns the synchronisation points and rendezvous of entry `entry` (an index
/// into Plan::entries), for the number of steps that plan::stepsThatShowAll
/// returns.
///
/// Fails if members come to the same collective rendezvous for different
/// micro-batches or steps, or with different collectives. Whether members come
/// with different collectives is found by plan::TaskValues::collectiveIndex, so
/// it is not checked for plans without values.
absl::StatusOr<RendezvousGraph> buildRendezvousGraph(const plan::Plan& plan,
                                                     size_t entry,
                                                     Channel channel,
                                                     Granularity granularity);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_RENDEZVOUSGRAPH_H_
