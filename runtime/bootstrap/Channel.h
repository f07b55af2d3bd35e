// Messages over a socket, without blocking.
//
// A message is a kind and a text. A channel queues the bytes that the socket
// does not accept yet, and keeps the beginning of a message until the rest has
// arrived. So one thread can serve many channels: it polls their descriptors,
// then calls receive() and flush() on each channel.
//
// Wire format: length of the text (four bytes, little endian), kind (one byte),
// text.

#ifndef RUNTIME_BOOTSTRAP_CHANNEL_H_
#define RUNTIME_BOOTSTRAP_CHANNEL_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/bootstrap/Socket.h"

namespace sbp::bootstrap {

/// Kinds of messages. All ranks exchange messages only with rank 0, the hub.
enum class MessageKind : unsigned char {
  kHello = 1,     // to the hub, as first message: who the sender is
  kChallenge,     // from the hub: who it is, and a proof of the job's key
  kProof,         // to the hub: the sender's proof of the key
  kStart,         // from the hub, if the digests differ: its start arguments
  kDifference,    // to the hub: how the start arguments differ
  kWelcome,       // from the hub: the rank is accepted into the world
  kTurnAway,      // from the hub: the rank is not accepted, and why
  kRoster,        // from the hub: all members; the world is complete
  kRefusal,       // from the hub: there will be no world, and why
  kHeartbeat,     // both ways: the sender is alive; to the hub: its activity
  kFailure,       // to the hub: the sender ends the world, and why
  kVerdict,       // from the hub: the world has ended, and why
  kInterruption,  // both ways: a rank was told to end, and the world with it
  kContribution,  // to the hub: the sender's text of an all-gather
  kGathered,      // from the hub: the texts of all ranks
};

/// A message as received.
struct Message {
  MessageKind kind;
  std::string text;
};

/// One end of a connection that carries messages.
class Channel {
 public:
  /// Longest text of a message in bytes, far above any that is sent.
  static constexpr size_t kMaxTextBytes = size_t{1} << 30;

  /// Constructs a closed channel.
  Channel() = default;

  /// Constructs a channel over a non-blocking socket, which it owns. A received
  /// message with more than `maxTextBytes` bytes of text breaks the protocol:
  /// receive() closes the channel.
  explicit Channel(Socket socket, size_t maxTextBytes = kMaxTextBytes)
      : socket(std::move(socket)), maxTextBytes(maxTextBytes) {}

  /// Raises the limit on the length of received texts to kMaxTextBytes.
  void trust() { maxTextBytes = kMaxTextBytes; }

  /// Queues a message, then flushes. Does nothing if the channel is closed.
  void send(MessageKind kind, std::string_view text);

  /// Sends as much of the queue as the socket accepts. If the connection is
  /// broken, empties the queue; receive() closes the channel once it has read
  /// all that the other end sent.
  void flush();

  /// Returns the messages that have become complete since the last call. If the
  /// other end closes the connection, all messages that arrived before are
  /// still returned: by the call that closes this channel, or by earlier calls.
  /// One call reads at most as many bytes as the longest allowed message has.
  std::vector<Message> receive();

  /// Returns the descriptor to poll; -1 if closed.
  int fd() const { return socket.fd(); }

  /// Whether the channel is open and part of the queue has not been sent yet.
  bool hasUnsent() const { return isOpen() && !unsent.empty(); }

  bool isOpen() const { return socket.isOpen(); }

  /// Whether receive() has closed the channel, because the connection broke, or
  /// the other end closed it or sent a text that is too long.
  bool isClosed() const { return wasClosed; }

 private:
  void close();

  Socket socket;
  size_t maxTextBytes = kMaxTextBytes;
  std::string unsent;
  std::string received;
  bool wasClosed = false;
};

/// Joins texts into one, each preceded by its length.
std::string joinTexts(const std::vector<std::string>& texts);
/// Splits a result of joinTexts() into `texts`. Returns false for any other
/// text; `texts` is then meaningless.
bool splitTexts(std::string_view joined, std::vector<std::string>& texts);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_CHANNEL_H_
