// A stream socket that closes itself, and the functions that open one: listen,
// accept, connect. All sockets here are non-blocking.
//
// Ranks meet over TCP, or over an abstract Unix socket if all of them are on
// one host and the launcher gives the job a name but no address
// (Environment.h). Users of this header need not distinguish the two.

#ifndef RUNTIME_BOOTSTRAP_SOCKET_H_
#define RUNTIME_BOOTSTRAP_SOCKET_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/WaitLimit.h"

namespace sbp::bootstrap {

/// A socket: the owner of an open file descriptor, or of none (-1). The
/// destructor closes the descriptor. Assignment exchanges the descriptors of
/// both objects.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fileDescriptor(fd) {}
  Socket(Socket&& other) noexcept
      : fileDescriptor(std::exchange(other.fileDescriptor, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fileDescriptor, other.fileDescriptor);
    return *this;
  }
  ~Socket();

  int fd() const { return fileDescriptor; }
  bool isOpen() const { return fileDescriptor >= 0; }

 private:
  int fileDescriptor = -1;
};

/// Listens at `point`. A TCP socket listens on every interface of this host, or
/// only at 127.0.0.1 if the host of `point` is 127.0.0.1 or localhost. Fails if
/// it cannot listen there, in most cases because another process already
/// listens there. The status is kResourceExhausted if this process cannot open
/// a socket.
absl::StatusOr<Socket> listenAt(const MeetingPoint& point);

/// Accepts the next connection to `listener`, without blocking. Returns a
/// closed socket if there is no connection yet, or if accepting fails. Closes a
/// Unix connection of another user, and returns a closed socket then too.
Socket acceptFrom(const Socket& listener);

/// Returns the IP address of the host at the other end of a connection, "this
/// host" for a Unix connection, or "unknown" if the system does not say.
std::string peerOf(const Socket& socket);

/// Tries once to connect to `point`, at each address of its host, one after the
/// other. Blocks at most until `limit` is over. Fails if no process listens
/// there, if the host's name is unknown, or when `limit` is over. The status is
/// kResourceExhausted if this process cannot open a socket.
absl::StatusOr<Socket> tryConnect(const MeetingPoint& point,
                                  const WaitLimit& limit);

/// Tries to connect to `point`, at least once, until an attempt succeeds or
/// `limit` is over. If none succeeds, returns the error of the last attempt
/// that was not cut short by `limit`. Gives up at once, with
/// kResourceExhausted, if this process cannot open a socket: waiting would not
/// help.
absl::StatusOr<Socket> connectTo(const MeetingPoint& point,
                                 const WaitLimit& limit);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_SOCKET_H_
