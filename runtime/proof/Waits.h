// Proof that no rank waits for ever.
//
// A rank waits for others in three situations: when it finishes a send, until
// all receivers have started and taken their parts; when it finishes a receive,
// until all senders have started; and in a collective, until all members have
// come. A start never blocks. Nothing is buffered: a message moves only once
// both its ends have started.
//
//   rank 0   start_send a    finish_send a      start_receive b  ...
//   rank 1   start_send b    finish_send b      start_receive a  ...
//                            |__ waits until rank 0 starts to receive b; rank 0
//                                does so only after finish_send a, which waits
//                                until rank 1 starts to receive a: a deadlock
//
// A rendezvous that is complete stays complete. So the order in which ranks are
// simulated does not matter: every order ends with the same ranks at the same
// synchronisation points, and a single simulation decides. It takes time
// proportional to the number of starts, finishes and collectives that run, not
// of kernels. First, the ranks of each program are simulated together, as if
// they were one (RendezvousGraph.h); this usually suffices, however many ranks
// there are.
//
// If some ranks do not reach their ends, each of them waits for another such
// rank, or for an arrival that never happens. The shortest cycle of these waits
// is reported.

#ifndef RUNTIME_PROOF_WAITS_H_
#define RUNTIME_PROOF_WAITS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// The order in which messages from one rank to another are delivered.
enum class Channel {
  /// Any order: each message moves when its two ends have started. The runtime
  /// delivers messages in this way.
  kAnyOrder,
  /// Messages move in the order in which the sender starts them. The receiver
  /// must start them in the same order. NCCL communicators work in this way,
  /// because they do not distinguish messages.
  kInOrder,
};

/// Fails if a rank waits for ever when all ranks run entry `entry`, or if
/// members of a group come to the same rendezvous with different collectives.
/// The plan must have passed its checks.
absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WAITS_H_
