// Proof that no rank waits for ever.
//
// A rank waits for others in three situations: when it finishes a send, until
// all receivers have started to receive; when it finishes a receive, until all
// senders have started to send; and in a collective, until all members have
// come. A start never blocks. Messages are not buffered: a message moves only
// after both its ends have been started.
//
//   rank 0   start_send a    finish_send a      start_receive b  ...
//   rank 1   start_send b    finish_send b      start_receive a  ...
//                            |__ waits until rank 0 starts to receive b; rank 0
//                                does so only after finish_send a, which waits
//                                until rank 1 starts to receive a: a deadlock
//
// Messages and collectives are rendezvous (RendezvousGraph.h). A rendezvous
// that is complete stays complete. So the order in which ranks are simulated
// does not matter: in every order, each rank stops at the same synchronisation
// point. One simulation is therefore enough. Its time is proportional to the
// number of messages and collectives; kernels are left out. First, all ranks of
// a program are simulated as if they were one rank. This takes hardly longer
// for more ranks, and usually proves that no rank waits for ever. If it does
// not, each rank is simulated.
//
// If some ranks do not reach their ends, each of them waits for a rank that
// does not reach its end either, or for an arrival that never happens. The
// error reports the first of the following that exists: two messages that are
// received in another order than sent (with Channel::kInOrder); the shortest
// cycle of waits; an arrival that never happens.

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
  /// A rank does its receives from one group in the order in which it starts
  /// them. Each receive waits until all its senders have started, and only then
  /// do their sends end. GPUs that read each other's memory work in this way
  /// (runtime/cuda/PeerCollectives.h), because a stream does its work in order.
  kInOrderOfReceives,
};

/// Fails if a rank waits for ever when all ranks run entry `entry`, an index
/// into Plan::entries, or if members of a group come to the same collective
/// with different tasks, micro-batches or steps (RendezvousGraph.h). The plan
/// must have passed plan::check.
absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WAITS_H_
