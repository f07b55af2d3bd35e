// The synchronisation of the ranks of an entry, as data.
//
// Each rank has a list of blocking points, in program order. At a blocking
// point the rank first waits until some rendezvous are complete. It then
// arrives at other rendezvous. There are two kinds of rendezvous:
//
// - a message from one rank to another one, complete when both its ends have
//   started;
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

/// A blocking point: what a rank waits for, and where it then arrives.
struct BlockingPoint {
  ProgramPoint point;
  std::vector<int64_t> waits;     // rendezvous that must be complete first
  std::vector<int64_t> arrivals;  // rendezvous at which it then arrives
};

/// The arrival of a participant at a rendezvous.
struct Arrival {
  int64_t rank = 0;
  int64_t blockingPoint = -1;  // of the rank; -1: it never arrives
};

/// A rendezvous. It is complete when all its participants have arrived and its
/// predecessors are complete.
struct Rendezvous {
  bool isMessage = false;             // the first participant is the sender
  std::vector<Arrival> arrivals;      // one per participant
  std::vector<int64_t> predecessors;  // rendezvous before it on its channel
};

/// The granularity of the analysis. kRanks: each rank runs for itself.
/// kPrograms: all ranks of a program run in lockstep, and wait for everything
/// that any of them might wait for. If the programs all reach their ends, then
/// so do the ranks, because they wait for less. A plan with many ranks often
/// has few programs.
enum class Runners { kRanks, kPrograms };

/// The blocking points and rendezvous of an entry. With Runners::kPrograms,
/// `rank` stands for the index of a program.
struct RendezvousGraph {
  std::vector<const plan::EntryProgram*> programs;         // by rank
  std::vector<std::vector<BlockingPoint>> blockingPoints;  // by rank, in order
  std::vector<Rendezvous> rendezvous;
};

/// Returns the blocking points and rendezvous of entry `entry`, which runs
/// once, or, where steps overlap, for enough steps to show every conflict.
/// Fails if the members of a group come to the same rendezvous with different
/// collectives, according to the values of the plan.
absl::StatusOr<RendezvousGraph> buildRendezvousGraph(const plan::Plan& plan,
                                                     size_t entry,
                                                     Channel channel,
                                                     Runners runners);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_RENDEZVOUSGRAPH_H_
