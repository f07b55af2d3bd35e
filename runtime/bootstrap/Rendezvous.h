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
// (AdmissionServer.h). A rank of another job, or a rank of this job that was
// started differently, finds out what the difference is, reports it, and
// leaves:
//
//     ── difference ──▶      differing start arguments of rank r and of rank 0
//
// If rank 0 does not accept such a rank, or a second process with the same
// rank, it prints a note on stderr. It does not print texts of visitors that
// have not proven that they have the key. The rendezvous fails for all ranks if
// one of the following happens before the roster is sent: a rank that has the
// job's secret was started differently, or two processes with the secret have
// the same rank; an accepted rank dies or is told to end; a rank does not come
// in time.
//
// Afterwards the connections stay open and carry the control plane
// (runtime/watchdog/ControlPlane.h). The port also stays open while the world
// exists, so that ranks of another job that chose the same port find out that
// it is taken (AdmissionThread.h).

#ifndef RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
#define RUNTIME_BOOTSTRAP_RENDEZVOUS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/bootstrap/AdmissionThread.h"
#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/StartArguments.h"
#include "runtime/bootstrap/WaitLimit.h"

namespace sbp::bootstrap {

/// The connections of one rank in a complete world.
struct Connections {
  int64_t rank = 0;
  std::vector<Member> members;  // in the order of ranks
  // On rank 0, one per rank, of which its own is closed. On other ranks, only
  // one, to rank 0.
  std::vector<Channel> channels;
  std::unique_ptr<AdmissionThread> admission;  // on rank 0; null elsewhere
};

/// Brings the `env.size` processes of a world together; all of them must have
/// equal `start` arguments. Blocks until the world is complete or the
/// rendezvous fails.
///
/// Fails on every rank that has come if another rank does not come before
/// `limit` is over, or for one of the other reasons for which, as the head of
/// this file says, the rendezvous fails for all ranks. Rank 0 sends the error,
/// which names missing ranks, to the other ranks. The status of the other ranks
/// is kAborted, because rank 0 has the same error and reports it.
///
/// Fails on this rank alone, at once, if another job answers it, or, in a job
/// without a secret, if rank 0 was started differently or another process has
/// this rank. But if rank 0 may be at several addresses
/// (Environment::candidates), an answer of another job is no failure until
/// `limit` is over. Fails at once with kResourceExhausted if this process
/// cannot open a socket, and on rank 0 if it cannot listen at any of its
/// addresses.
///
/// If an accepted rank or rank 0 is told to end, all ranks that came end with
/// it. The status is kCancelled on that rank and kAborted on the others, and
/// rank 0 reports on stderr which process was told to end. A rank that is told
/// to end before rank 0 has accepted it reports this itself and ends alone,
/// with kCancelled.
absl::StatusOr<Connections> meet(const Environment& env, StartArguments start,
                                 const WaitLimit& limit);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
