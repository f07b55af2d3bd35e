// Messages between ranks, without buffers: a message is transferred when both
// of its ends have started.
//
//   rank 0 starts to send       a b
//   rank 1 starts to receive    b         AnyOrder: b is transferred
//                                         InOrder: none, as a is first

#ifndef TEST_PROPERTIES_MESSAGECHANNELS_H_
#define TEST_PROPERTIES_MESSAGECHANNELS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sbp::properties {

/// Order in which messages are transferred from one rank to another. AnyOrder:
/// each as soon as both of its ends have started. InOrder: first in, first out.
/// A message then also waits until all messages whose sends, or whose receives,
/// started before its own have been transferred.
enum class Messages { AnyOrder, InOrder };

/// A transfer in one iteration of its loop: index of the transfer, iteration.
using Occurrence = std::pair<int64_t, int64_t>;

/// The message of a transfer from one rank to another one, or to itself.
struct Message {
  Occurrence occurrence;
  int64_t from = 0;
  int64_t to = 0;

  friend bool operator<(const Message& a, const Message& b) {
    return std::tie(a.occurrence, a.from, a.to) <
           std::tie(b.occurrence, b.from, b.to);
  }
};

/// The messages between all ranks.
class MessageChannels {
 public:
  explicit MessageChannels(Messages order) : order_(order) {}

  /// Starts one end of `message`: the send, or the receive.
  void start(const Message& message, bool isSent);

  /// Whether `message` has been transferred.
  bool isTransferred(const Message& message) const {
    return gone_.count(message) > 0;
  }

 private:
  /// The ends, in the order of their start, of messages from one rank to
  /// another that have not been transferred yet.
  struct Channel {
    std::deque<Occurrence> sent, received;
  };

  Messages order_;
  std::map<std::pair<int64_t, int64_t>, Channel> channels_;  // by from and to
  std::set<Message> gone_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MESSAGECHANNELS_H_
