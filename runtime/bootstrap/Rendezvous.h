// Ranks meet: rank 0 listens, the others come, and everybody learns who is who.
//
//   rank r          rank 0
//     ── hello ──▶          my rank, the size of my world, my host and pid
//     ◀─ roster ─           everybody's, once the last has come
//     ◀─ refusal ─          or why not: sizes differ, a rank twice, one missing
//
// The connections stay open. They carry the control plane (ControlPlane.h).

#ifndef RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
#define RUNTIME_BOOTSTRAP_RENDEZVOUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Environment.h"

namespace sbp::bootstrap {

/// A process of the world.
struct Member {
  int64_t rank = 0;
  int64_t pid = 0;
  std::string host;

  /// "rank 2 (host node7, pid 4711)".
  std::string describe() const;
};

/// A world that is complete.
struct Meeting {
  int64_t rank = 0;
  std::vector<Member> members;    // in the order of ranks
  std::vector<Channel> channels;  // on rank 0 one per rank, closed for itself;
                                  // elsewhere one, to rank 0
};

/// Brings the `env.size` processes of a world together. Fails within
/// `timeoutSeconds`, on every rank that came, if some rank does not come (rank
/// 0 names the missing ones and tells the others), dies meanwhile, or
/// contradicts another one. The status is kAborted on a rank that rank 0 has
/// refused, since rank 0 has the same error and reports it.
absl::StatusOr<Meeting> meet(const Environment& env, double timeoutSeconds);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RENDEZVOUS_H_
