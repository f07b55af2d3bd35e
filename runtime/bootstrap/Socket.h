// A stream socket that closes itself, and the three ways to get one.
//
// Ranks talk over TCP between hosts and over an abstract Unix socket within
// one; past this header nobody needs to know which.

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

/// Listens where `point` says; in TCP on every interface of this host,
/// unless `point` names the loopback. Fails if somebody else does.
absl::StatusOr<Socket> listenAt(const MeetingPoint& point);

/// The next connection to `listener`; a closed socket if there is none yet. It
/// does not block, and neither does the socket that it returns. Unix
/// connections of other users are turned away.
Socket acceptFrom(const Socket& listener);

/// Where the other end of a connection is: the number of its host, or "this
/// host" for a Unix connection.
std::string peerOf(const Socket& socket);

/// Connects to whoever listens at `point`, trying once. Fails if there is
/// nobody, if the host's name is not known, or when `patience` is over; with
/// kResourceExhausted if this process can open no socket. The socket does not
/// block.
absl::StatusOr<Socket> tryConnect(const MeetingPoint& point,
                                  const Patience& patience);

/// The same, trying again until `patience` is over.
absl::StatusOr<Socket> connectTo(const MeetingPoint& point,
                                 const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_SOCKET_H_
