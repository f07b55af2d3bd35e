// Channels on which NCCL carries messages.
//
// NCCL does not distinguish messages: on one channel from a rank to another
// one, the receiver gets messages in the order in which the sender starts them
// (Channel::kInOrder). If the two ranks start the messages of two transfers in
// different orders, these transfers need different channels.

#ifndef RUNTIME_PROOF_CHANNELS_H_
#define RUNTIME_PROOF_CHANNELS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// Returns a channel (plan::Transfer::channel) for each transfer of entry
/// `entry`, an index into Plan::entries. Senders and receivers start the
/// messages of a channel in the same order, unless they start the messages of a
/// single transfer in different orders. Uses few channels. Fails as
/// buildRendezvousGraph does.
absl::StatusOr<std::vector<int64_t>> channelsOf(const plan::Plan& plan,
                                                size_t entry);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_CHANNELS_H_
