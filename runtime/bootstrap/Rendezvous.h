// The rendezvous of the ranks of a world: rank 0 listens, the others connect,
// and every rank learns who the others are.
//
//   rank r             rank 0
//     ── hello ──▶           who rank r is
//     ◀─ challenge ─         who rank 0 is, and a proof that it is of the job
//     ── proof ──▶           rank r's proof, and that it was started alike
//     ◀─ welcome ─           rank r is accepted
//     ◀─ roster ─            all members, once the last has come
//
// Handshake.h explains the first three messages. A visitor that cannot prove
// itself gets no further answer, and rank 0 keeps waiting for the real rank
// (Door.h). A rank of another job, or a rank of this job that was started
// differently, finds out what the difference is, and ends:
//
//     ── difference ──▶      start arguments of rank r, and of rank 0
//
// Rank 0 notes on stderr whom it has not accepted, without repeating texts of
// visitors that have proven nothing. The rendezvous fails for all ranks if,
// before the roster is sent, a rank that has the job's secret was started
// differently or comes twice, or a rank dies, is told to end, or does not come
// in time.
//
// Afterwards the connections stay open and carry the control plane
// (runtime/watchdog/ControlPlane.h). The door stays open too, as long as the
// world lives, to tell the ranks of another job that chose the same port that
// it is taken (Doorkeeper.h).

#ifndef RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
#define RUNTIME_BOOTSTRAP_RENDEZVOUS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Doorkeeper.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/Patience.h"
#include "runtime/bootstrap/Start.h"

namespace sbp::bootstrap {

/// The connections of one rank in a complete world.
struct Connections {
  int64_t rank = 0;
  std::vector<Member> members;    // in the order of ranks
  std::vector<Channel> channels;  // on rank 0 one per rank, closed for itself;
                                  // elsewhere one, to rank 0
  std::unique_ptr<Doorkeeper> doorkeeper;  // on rank 0
};

/// Brings the `env.size` processes of a world together; all of them must have
/// equal `start` arguments. Blocks until the world is complete or the
/// rendezvous fails.
///
/// Fails on every rank that came if some rank does not come before `patience`
/// is over, or if before the roster one dies, or contradicts another one. Rank
/// 0 names the missing ranks and tells the others. Fails on this rank only if
/// another job answers: at once, or, if rank 0 may be at several addresses
/// (Environment::candidates), when `patience` is over. The status is kAborted
/// on a rank that rank 0 has refused together with all others, since rank 0 has
/// the same error and reports it.
///
/// If this process is told to end, all ranks that came end with it. The status
/// is kCancelled here and kAborted on the others. Rank 0 reports on stderr
/// which process was told to end; a rank that it has not accepted yet reports
/// this itself.
absl::StatusOr<Connections> meet(const Environment& env, Start start,
                                 const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
