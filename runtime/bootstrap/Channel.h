// Messages over a socket, without waiting.
//
// A message is a kind and a text. A channel queues what the socket does not
// take yet and keeps what has come in part, so one thread can serve many
// channels: poll() their descriptors, then receive() and flush() each.
//
// On the wire: four bytes of length (little endian), one of kind, the text.

#ifndef RUNTIME_BOOTSTRAP_CHANNEL_H_
#define RUNTIME_BOOTSTRAP_CHANNEL_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/bootstrap/Socket.h"

namespace sbp::bootstrap {

/// What a message means. Rank 0 is the hub: the others talk with it alone.
enum class MessageKind : unsigned char {
  kHello = 1,     // to the hub, first of all: who I am
  kChallenge,     // from it: who it is, and a proof that it is of my job
  kProof,         // to the hub: that I am
  kStart,         // from it: what it was started with, which is not what I was
  kDifference,    // to the hub: how we were started differently
  kWelcome,       // from it: I am of its world
  kTurnAway,      // from it, in place of a welcome: why not; the world goes on
  kRoster,        // from it: who everybody is; the world is complete
  kRefusal,       // from it, in place of a roster: why there is no world
  kHeartbeat,     // both ways: I am alive; to the hub: and at this
  kFailure,       // to the hub: I end the world, because
  kVerdict,       // from it: the world has ended, because
  kInterruption,  // both ways: a rank was told to end, and all end with it
  kContribution,  // to the hub: my text of an all-gather
  kGathered,      // from it: everybody's texts
};

struct Message {
  MessageKind kind;
  std::string text;
};

class Channel {
 public:
  /// Far above any message of ours.
  static constexpr size_t kMaxTextBytes = size_t{1} << 30;

  /// A closed channel.
  Channel() = default;

  /// A channel over a socket that does not block. A message longer than
  /// `maxTextBytes` breaks the protocol: it comes from a stranger.
  explicit Channel(Socket socket, size_t maxTextBytes = kMaxTextBytes)
      : socket(std::move(socket)), maxTextBytes(maxTextBytes) {}

  /// From now on takes messages of any length.
  void trust() { maxTextBytes = kMaxTextBytes; }

  /// Queues a message and sends what the socket takes.
  void send(MessageKind kind, std::string_view text);

  /// Sends what is queued, as far as the socket takes it.
  void flush();

  /// The messages that have come since the last call. Those that came before
  /// the other end closed are returned before isClosed() turns true. Reads no
  /// more at a time than the longest message, however much is there.
  std::vector<Message> receive();

  /// The descriptor to poll, -1 when closed.
  int fd() const { return socket.fd(); }

  /// True while part of a message waits to be sent.
  bool hasUnsent() const { return isOpen() && !unsent.empty(); }

  bool isOpen() const { return socket.isOpen(); }

  /// True if the channel was open and the other end closed it, or broke the
  /// protocol.
  bool isClosed() const { return wasClosed; }

 private:
  void close();

  Socket socket;
  size_t maxTextBytes = kMaxTextBytes;
  std::string unsent;
  std::string received;
  bool wasClosed = false;
};

/// Puts texts into one, and takes them apart again; the latter fails (returns
/// false) on a text that joinTexts did not make.
std::string joinTexts(const std::vector<std::string>& texts);
bool splitTexts(std::string_view joined, std::vector<std::string>& texts);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_CHANNEL_H_
