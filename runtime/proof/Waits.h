// Proof that no rank waits for ever.
//
// A rank waits for others in three situations: when it finishes a send, until
// all receivers have started to receive; when it finishes a receive, until all
// senders have started to send; and in a collective, until all members have
// come. A start never blocks. Nothing is buffered: a message moves only once
// both its ends have started.
//
//   rank 0   start_send a    finish_send a      start_receive b  ...
//   rank 1   start_send b    finish_send b      start_receive a  ...
//                            |__ waits until rank 0 starts to receive b; rank 0
//                                does so only after finish_send a, which waits
//                                until rank 1 starts to receive a: a deadlock
//
// Messages and collectives are rendezvous (RendezvousGraph.h). A rendezvous
// that is complete stays complete. So the order in which ranks are simulated
// does not matter: every order ends with the same ranks at the same
// synchronisation points, and a single simulation decides. Its time is
// proportional to the number of messages and collectives; kernels are left out.
// First, the ranks of each program are simulated together, as if they were one;
// this usually suffices, however many ranks there are.
//
// If some ranks do not reach their ends, each of them waits for a rank that
// does not reach its end either, or for an arrival that never happens. The
// error reports the first of these that is there: two messages that are
// received in another order than sent (with Channel::kInOrder), the shortest
// cycle of waits, an arrival that never happens.

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
  /// A rank takes what the ranks of one group send in the order in which it
  /// starts to receive: each time it waits for all senders, and only when it
  /// has all their parts, the sends end. GPUs that read each other's memory
  /// work in this way (runtime/cuda/PeerCollectives.h): a stream does one thing
  /// after the other.
  kInOrderOfReceives,
};

/// Fails if a rank waits for ever when all ranks run entry `entry`, an index
/// into Plan::entries, or if members of a group come to the same collective
/// with different tasks, micro-batches or steps (RendezvousGraph.h). The plan
/// must have passed plan::check.
absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WAITS_H_
