// No rank waits for ever.
//
// A rank waits for others in three places: where it finishes a send, until all
// receivers have started and taken their parts; where it finishes a receive,
// until all senders have started; and in a collective, until all members have
// come. To start waits for nobody. Nothing is buffered: a message goes when
// both ends have started, and not before.
//
//   rank 0   start_send a    finish_send a      start_receive b  ...
//   rank 1   start_send b    finish_send b      start_receive a  ...
//                            |__ waits until rank 0 starts to receive b,
//                                which stands there behind what waits for
//                                rank 1 to start to receive a
//
// What a rank waits for, once it is there, stays there. So it does not matter
// in which order ranks are run: any way to run them as far as they go ends with
// the same ranks at the same places. One such run decides; it takes time in
// proportion to the starts, finishes and collectives that run, not to kernels.
// The ranks of a program are run together first, as if they were one
// (Meetings.h): most often that is enough, however many they are.
//
// If it does not come to the end, each rank that is left waits for ranks that
// are left, or for what nobody ever does. The shortest cycle of these waits is
// told.

#ifndef RUNTIME_PROOF_WAITS_H_
#define RUNTIME_PROOF_WAITS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// In which order messages go from one rank to another one.
enum class Channel {
  /// In any: each goes when its two ends have started. So does the runtime.
  kAnyOrder,
  /// Each sender's in the order in which it has started to send, which must be
  /// that in which the receiver has started to receive: as on a NCCL
  /// communicator, which does not tell messages apart.
  kInOrder,
};

/// Fails if a rank waits for ever as all run entry number `entry`, or if ranks
/// come together to different collectives. The plan has passed its checks.
absl::Status checkWaits(const plan::Plan& plan, size_t entry, Channel channel);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_WAITS_H_
