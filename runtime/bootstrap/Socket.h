// A stream socket that closes itself, and the ways to open one: listen, accept,
// connect.
//
// Ranks communicate over TCP between hosts, and over an abstract Unix socket
// within one host. Code outside this header need not distinguish them.

#ifndef RUNTIME_BOOTSTRAP_SOCKET_H_
#define RUNTIME_BOOTSTRAP_SOCKET_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Patience.h"

namespace sbp::bootstrap {

/// An open file descriptor, or none (-1).
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

/// Listens at `point`. For TCP this is on every interface of this host, unless
/// `point` names the loopback. Fails if another process listens there.
absl::StatusOr<Socket> listenAt(const MeetingPoint& point);

/// Returns the next connection to `listener`, or a closed socket if there is
/// none yet. Does not block; neither does the returned socket. Unix connections
/// of other users are turned away.
Socket acceptFrom(const Socket& listener);

/// Returns the address of the host at the other end of a connection, or "this
/// host" for a Unix connection.
std::string peerOf(const Socket& socket);

/// Connects to `point`, in one attempt. Fails if nobody listens, if the host's
/// name is unknown, or when `patience` is over; with kResourceExhausted if this
/// process cannot open a socket. The returned socket does not block.
absl::StatusOr<Socket> tryConnect(const MeetingPoint& point,
                                  const Patience& patience);

/// Connects to `point`, in as many attempts as `patience` allows.
absl::StatusOr<Socket> connectTo(const MeetingPoint& point,
                                 const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_SOCKET_H_
