// The communicators of NCCL that a program needs, and how all ranks make them.
//
// NCCL makes communicators by splits of the world (ncclCommSplit): each rank
// passes a color and a key, and the ranks of each color get a communicator, in
// the order of their keys. A rank may also be in none. One split makes all
// communicators for collectives over the same axes of a group. For each channel
// of messages from one rank to another one (plan::Transfer) there is a
// communicator of only these two ranks, so that the messages do not wait for
// other operations. Channels that have no rank in common share a split:
//
//   stage 0 on ranks 0 and 1, stage 1 on ranks 2 and 3
//
//   split  color by rank  key by rank
//   0      0 0 2 2        0 1 0 1      collectives of each stage
//   1      0 1 0 1        0 0 1 1      messages 0 -> 2 and 1 -> 3
//   2      2 3 2 3        1 1 0 0      messages 2 -> 0 and 3 -> 1

#ifndef RUNTIME_CUDA_NCCLSPLITS_H_
#define RUNTIME_CUDA_NCCLSPLITS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// A split of the world: for each rank its color and its key. A rank with the
/// color kNcclNoColor is in no communicator.
struct NcclSplit {
  std::vector<int> colors;
  std::vector<int> keys;

  /// Whether the split makes one communicator of all ranks in their order,
  /// which would equal that of the world.
  bool isWorld() const;

  friend bool operator==(const NcclSplit& a, const NcclSplit& b) {
    return a.colors == b.colors && a.keys == b.keys;
  }
};

/// The messages from one rank to another one on a channel of a plan.
struct MessageChannel {
  int64_t sender = 0, receiver = 0;
  int64_t channel = 0;  // plan::Transfer::channel

  friend bool operator<(const MessageChannel& a, const MessageChannel& b) {
    return std::tie(a.sender, a.receiver, a.channel) <
           std::tie(b.sender, b.receiver, b.channel);
  }
};

/// The splits that an entry of a plan needs; the same on all ranks.
struct NcclSplits {
  /// Whether NCCL carries collectives among some ranks, or a transfer among
  /// them. The result must be the same on all ranks.
  using IsCarried =
      std::function<bool(const std::vector<int64_t>& ranks, bool isTransfer)>;

  /// Constructs the splits for what NCCL carries of entry `entry` (an index
  /// into Plan::entries) of `plan`. `transfers` are the transfers of the entry.
  NcclSplits(const plan::Plan& plan, size_t entry,
             const std::vector<plan::Transfer>& transfers,
             const IsCarried& isCarried);

  std::vector<NcclSplit> all;  // splits for collectives, then for messages
  size_t firstOfMessages = 0;  // index into `all`
  /// Index into `all` for the gate (communication/Gates.h) of each collective
  /// that has several members.
  std::map<uint64_t, size_t> ofGates;
  /// Index into `all` for the messages of each channel.
  std::map<MessageChannel, size_t> ofMessages;
  /// Indices of the transfers that NCCL carries.
  std::set<int64_t> carried;

 private:
  size_t add(const NcclSplit& split);
  void addCollectives(const plan::Plan& plan, size_t entry,
                      const IsCarried& isCarried);
  void addMessages(const plan::Plan& plan,
                   const std::vector<plan::Transfer>& transfers);
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLSPLITS_H_
