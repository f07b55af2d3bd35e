// Messages between ranks, without buffers: a message is transferred when both
// of its ends have started.
//
//   rank 0 starts to send       a b
//   rank 1 starts to receive    b         AnyOrder: b is transferred
//                                         InOrder: nothing, because a is first

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
/// each message as soon as both of its ends have started. InOrder: as AnyOrder,
/// but only after all messages whose send started before its send, or whose
/// receive started before its receive.
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
  /// The sends and receives of messages from one rank to another, each in the
  /// order in which they were started. Has only messages that have not been
  /// transferred yet.
  struct Channel {
    std::deque<Occurrence> sent, received;
  };

  Messages order_;
  std::map<std::pair<int64_t, int64_t>, Channel> channels_;  // by from and to
  std::set<Message> gone_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MESSAGECHANNELS_H_
