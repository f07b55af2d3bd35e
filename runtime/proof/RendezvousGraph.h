// The waits between ranks in one entry, as a graph for the deadlock check
// (Waits.h).
//
// Each rank has a list of synchronisation points, in program order. At such a
// point the rank waits until some rendezvous are complete, arrives at other
// rendezvous, or does both, in this order. There are two kinds of rendezvous:
//
// - a message from one rank to another one, complete when both its ends have
//   started and, on in-order channels (NCCL), the previous message of the same
//   sender and receiver is complete;
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

/// A point where a rank waits for rendezvous, arrives at some, or both.
struct SyncPoint {
  ProgramPoint point;
  /// Rendezvous that must be complete before the rank goes on, and rendezvous
  /// at which it then arrives: indices into RendezvousGraph::rendezvous.
  std::vector<int64_t> waits, arrivals;
};

/// The arrival of a participant, which is a rank, at a rendezvous.
struct Arrival {
  int64_t rank = 0;
  /// Index into syncPoints[rank]; -1: the rank never arrives.
  int64_t syncPoint = -1;
};

/// A rendezvous. It is complete when all its participants have arrived and its
/// predecessors are complete.
struct Rendezvous {
  bool isMessage = false;             // the first participant is the sender
  std::vector<Arrival> arrivals;      // one per participant
  std::vector<int64_t> predecessors;  // rendezvous before it on its channel
};

/// The unit of the simulation: a rank, or a whole program.
enum class Granularity {
  /// Each rank.
  kRanks,
  /// All ranks of a program together, which wait for everything that one of
  /// them might wait for. This is a sufficient check: if all programs reach
  /// their ends, so do the ranks, because they wait for less. It is cheaper,
  /// because a plan with many ranks often has few programs.
  kPrograms,
};

/// The synchronisation points and rendezvous of an entry. With
/// Granularity::kPrograms, "rank" stands for the index of a program.
struct RendezvousGraph {
  std::vector<const plan::EntryProgram*> programs;  // by rank
  std::vector<std::vector<SyncPoint>> syncPoints;   // by rank, in program order
  std::vector<Rendezvous> rendezvous;
};

/// Returns the synchronisation points and rendezvous of entry `entry`. The
/// graph covers one step, or, where steps overlap, enough steps for all memory
/// that they share to be reused (plan::stepsThatShowAll).
///
/// Fails if members of a group meet in a collective, but run different ones
/// (plan::TaskValues::collectiveIndex; not checked for plans read from a file,
/// which have no values), or run it for different micro-batches or steps.
absl::StatusOr<RendezvousGraph> buildRendezvousGraph(const plan::Plan& plan,
                                                     size_t entry,
                                                     Channel channel,
                                                     Granularity granularity);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_RENDEZVOUSGRAPH_H_
