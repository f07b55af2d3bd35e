// Ranks meet: rank 0 listens, the others come, and everybody learns who is who.
//
//   rank r             rank 0
//     ── hello ──▶           who I am
//     ◀─ challenge ─         who it is; proves that it is of my job
//     ── proof ──▶           so am I, and was started alike (Handshake.h)
//     ◀─ welcome ─           I am of its world
//     ◀─ roster ─            who everybody is, once the last has come
//
// Who cannot prove itself is told nothing more, and the others go on waiting
// for the rank in whose name it came (Door.h). A rank of another job, or one of
// this job that was started differently, finds out in what they differ, and
// ends:
//
//     ── difference ──▶      how I was started, and you
//
// Rank 0 notes on stderr whom it has not let in, without repeating what anybody
// says who has proven nothing. What ends the meeting for all,
// before the roster, is a rank that has the job's secret and was started
// differently, or comes twice, one that dies or is told to end, and one that
// does not come.
//
// The connections stay open. They carry the control plane (ControlPlane.h). So
// does the door, as long as the world lives, where the others of a job that
// chose the same port learn that it is taken (Doorkeeper.h).

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

/// A world that is complete.
struct Meeting {
  int64_t rank = 0;
  std::vector<Member> members;    // in the order of ranks
  std::vector<Channel> channels;  // on rank 0 one per rank, closed for itself;
                                  // elsewhere one, to rank 0
  std::unique_ptr<Doorkeeper> doorkeeper;  // on rank 0
};

/// Brings the `env.size` processes of a world together, which must all have
/// been started with `start`. Fails before `patience` is over, on every rank
/// that came, if some rank does not come (rank 0 names the missing ones and
/// tells the others), dies meanwhile, or contradicts another one; and at once,
/// on this rank alone, if it is not of the job that answers. The status is
/// kAborted on a rank that rank 0 has refused with all others, since rank 0 has
/// the same error and reports it.
///
/// If this process is told to end, all ranks that came end with it. The status
/// is kCancelled here and kAborted on the others; rank 0 has said on stderr who
/// was told, or this rank, if it has not been let in.
absl::StatusOr<Meeting> meet(const Environment& env, Start start,
                             const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
