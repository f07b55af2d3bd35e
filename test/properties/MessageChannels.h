// Messages between ranks, of which none is buffered: a message goes when both
// of its ends have started.
//
//   rank 0 starts to send       a b
//   rank 1 starts to receive    b         b goes; in order, none: a is first

#ifndef TEST_PROPERTIES_MESSAGECHANNELS_H_
#define TEST_PROPERTIES_MESSAGECHANNELS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sbp::properties {

/// In which order messages go from one rank to another one: each when it can,
/// or in that in which they are started to be sent and to be received.
enum class Messages { AnyOrder, InOrder };

using Occurrence = std::pair<int64_t, int64_t>;  // transfer, time

/// What a transfer has one rank send to another one, or to itself.
struct Message {
  Occurrence occurrence;
  int64_t from = 0;
  int64_t to = 0;

  friend bool operator<(const Message& a, const Message& b) {
    return std::tie(a.occurrence, a.from, a.to) <
           std::tie(b.occurrence, b.from, b.to);
  }
};

class MessageChannels {
 public:
  explicit MessageChannels(Messages order) : order_(order) {}

  /// Starts one end of `message`: that it is sent, or received.
  void start(const Message& message, bool isSent);

  bool hasGone(const Message& message) const {
    return gone_.count(message) > 0;
  }

 private:
  /// What one end alone has started, in this order.
  struct Channel {
    std::deque<Occurrence> sent, received;
  };

  Messages order_;
  std::map<std::pair<int64_t, int64_t>, Channel> channels_;  // by from and to
  std::set<Message> gone_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MESSAGECHANNELS_H_
