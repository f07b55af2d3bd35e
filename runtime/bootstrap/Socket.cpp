#include "runtime/bootstrap/Socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <future>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace sbp::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 1024;
// Time after which the next address of a host is tried, because an address,
// such as one in a network without a route, may never answer.
constexpr std::chrono::seconds kAddressLimit(2);
constexpr std::chrono::milliseconds kRetryInterval(20);

// A socket address of any family.
struct Address {
  sockaddr_storage storage = {};
  socklen_t length = 0;
  int family() const { return storage.ss_family; }
  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

using Addresses = std::vector<Address>;

absl::Status systemError(const std::string& what, int error) {
  return absl::UnavailableError(
      fmt::format("{}: {}", what, std::strerror(error)));
}

// A Unix socket name whose first byte is zero is abstract: it is in no file
// system.
absl::StatusOr<Address> abstractAddress(const std::string& name) {
  Address address;
  auto* unixAddress = reinterpret_cast<sockaddr_un*>(&address.storage);
  if (name.size() + 1 > sizeof(unixAddress->sun_path)) {
    return absl::InvalidArgumentError(
        fmt::format("socket name of {} bytes is longer than {}", name.size(),
                    sizeof(unixAddress->sun_path) - 1));
  }
  unixAddress->sun_family = AF_UNIX;
  std::memcpy(unixAddress->sun_path + 1, name.data(), name.size());
  address.length = offsetof(sockaddr_un, sun_path) + 1 + name.size();
  return address;
}

absl::Status unknownHost(const std::string& host, const char* cause) {
  return absl::UnavailableError(fmt::format("host \"{}\": {}", host, cause));
}

// Looks up the addresses of `point`, at least one. `flags` are those of
// addrinfo.
absl::StatusOr<Addresses> lookUp(const MeetingPoint& point, int flags) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  int error = getaddrinfo(point.host.c_str(),
                          std::to_string(point.port).c_str(), &hints, &found);
  if (error != 0) return unknownHost(point.host, gai_strerror(error));
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, freeaddrinfo);
  Addresses addresses;
  for (const addrinfo* each = found; each; each = each->ai_next) {
    Address& address = addresses.emplace_back();
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.length = each->ai_addrlen;
  }
  return addresses;
}

// Finds the addresses of `point`. If the name service does not answer, the
// system's wait for it cannot be interrupted. So a thread waits for it; when
// `limit` is over, the thread goes on alone.
absl::StatusOr<Addresses> resolve(const MeetingPoint& point,
                                  const WaitLimit& limit) {
  if (!point.socketName.empty()) {
    absl::StatusOr<Address> address = abstractAddress(point.socketName);
    if (!address.ok()) return address.status();
    return Addresses{*address};
  }
  absl::StatusOr<Addresses> addresses = lookUp(point, AI_NUMERICHOST);
  if (addresses.ok()) return addresses;
  std::packaged_task<absl::StatusOr<Addresses>()> task(
      [point] { return lookUp(point, /*flags=*/0); });
  std::future<absl::StatusOr<Addresses>> result = task.get_future();
  std::thread(std::move(task)).detach();
  while (result.wait_for(kLookInterval) != std::future_status::ready) {
    if (limit.isOver()) {
      return unknownHost(point.host, "the name service does not answer");
    }
  }
  return result.get();
}

// Returns the address of all interfaces. Other hosts may know the host of rank
// 0 by an address that none of its interfaces has (127.0.1.1 in /etc/hosts, or
// a translated address). So rank 0 listens on all its interfaces.
Address anyInterface(int port) {
  Address address;
  auto* inet = reinterpret_cast<sockaddr_in6*>(&address.storage);
  inet->sin6_family = AF_INET6;
  inet->sin6_addr = in6addr_any;
  inet->sin6_port = htons(port);
  address.length = sizeof(*inet);
  return address;
}

Address ipv4Address(in_addr_t host, int port) {
  Address address;
  auto* inet = reinterpret_cast<sockaddr_in*>(&address.storage);
  inet->sin_family = AF_INET;
  inet->sin_addr.s_addr = htonl(host);
  inet->sin_port = htons(port);
  address.length = sizeof(*inet);
  return address;
}

Socket openSocket(int family) {
  return Socket(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Returns the error of socket(). connectTo() does not retry after it, since
// waiting for other processes would not help.
absl::Status noSocket(int error) {
  return absl::ResourceExhaustedError(
      fmt::format("cannot open a socket: {}", std::strerror(error)));
}

absl::StatusOr<Socket> bindAndListen(const Address& address,
                                     const std::string& where) {
  Socket socket = openSocket(address.family());
  if (!socket.isOpen()) return noSocket(errno);
  int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (address.family() == AF_INET6) {
    int off = 0;
    setsockopt(socket.fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
  }
  if (bind(socket.fd(), address.get(), address.length) != 0 ||
      listen(socket.fd(), kBacklog) != 0) {
    return systemError("cannot listen at " + where, errno);
  }
  return socket;
}

// Disables the delay of small messages: a verdict or heartbeat should not wait
// for more data.
void sendAtOnce(const Socket& socket) {
  int on = 1;
  setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

// Waits for a connection attempt that is under way, until `limit` is over or
// `end` has come. Returns 0 on success, otherwise an errno value.
int awaitConnection(const Socket& socket, const WaitLimit& limit,
                    Clock::time_point end) {
  pollfd entry = {socket.fd(), POLLOUT, 0};
  while (poll(&entry, 1, kLookInterval.count()) <= 0) {
    if (limit.isOver() || Clock::now() >= end) return ETIMEDOUT;
  }
  int error = 0;
  socklen_t length = sizeof(error);
  getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

// Connects to `address`, which is one of those of `point`.
absl::StatusOr<Socket> connectToAddress(const Address& address,
                                        const MeetingPoint& point,
                                        const WaitLimit& limit,
                                        Clock::time_point end) {
  Socket socket = openSocket(address.family());
  // Another address may be of a family that this host has.
  if (!socket.isOpen() && errno == EAFNOSUPPORT)
    return systemError("cannot reach " + point.describe(), errno);
  if (!socket.isOpen()) return noSocket(errno);
  int error =
      connect(socket.fd(), address.get(), address.length) == 0 ? 0 : errno;
  if (error == EINPROGRESS) error = awaitConnection(socket, limit, end);
  if (error != 0) {
    return systemError("no process answers at " + point.describe(), error);
  }
  sendAtOnce(socket);
  return socket;
}

}  // namespace

Socket::~Socket() {
  if (fileDescriptor >= 0) close(fileDescriptor);
}

absl::StatusOr<Socket> listenAt(const MeetingPoint& point) {
  if (!point.socketName.empty()) {
    absl::StatusOr<Address> address = abstractAddress(point.socketName);
    if (!address.ok()) return address.status();
    return bindAndListen(*address, point.describe());
  }
  if (point.host == "127.0.0.1" || point.host == "localhost") {
    return bindAndListen(ipv4Address(INADDR_LOOPBACK, point.port),
                         point.describe());
  }
  absl::StatusOr<Socket> socket =
      bindAndListen(anyInterface(point.port), point.describe());
  if (socket.ok()) return socket;
  return bindAndListen(ipv4Address(INADDR_ANY, point.port), point.describe());
}

Socket acceptFrom(const Socket& listener) {
  Socket socket(
      accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.isOpen()) return socket;
  ucred peer = {};
  socklen_t length = sizeof(peer);
  bool isUnix =
      getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
      peer.pid != 0;
  if (isUnix && peer.uid != getuid()) return Socket();
  sendAtOnce(socket);
  return socket;
}

std::string peerOf(const Socket& socket) {
  Address address;
  address.length = sizeof(address.storage);
  auto* storage = reinterpret_cast<sockaddr*>(&address.storage);
  if (getpeername(socket.fd(), storage, &address.length) != 0) return "unknown";
  if (address.family() == AF_UNIX) return "this host";
  char host[NI_MAXHOST];
  if (getnameinfo(address.get(), address.length, host, sizeof(host), nullptr, 0,
                  NI_NUMERICHOST) != 0) {
    return "unknown";
  }
  // An IPv4 address at an IPv6 socket.
  constexpr std::string_view kMapped = "::ffff:";
  const std::string_view text = host;
  const bool isMapped = text.substr(0, kMapped.size()) == kMapped;
  return std::string(isMapped ? text.substr(kMapped.size()) : text);
}

absl::StatusOr<Socket> tryConnect(const MeetingPoint& point,
                                  const WaitLimit& limit) {
  absl::StatusOr<Addresses> addresses = resolve(point, limit);
  if (!addresses.ok()) return addresses.status();
  absl::Status failure;
  for (const Address& address : *addresses) {
    const bool isLast = &address == &addresses->back();
    absl::StatusOr<Socket> socket = connectToAddress(
        address, point, limit,
        isLast ? Clock::time_point::max() : Clock::now() + kAddressLimit);
    if (socket.ok()) return socket;
    failure.Update(socket.status());
  }
  return failure;
}

absl::StatusOr<Socket> connectTo(const MeetingPoint& point,
                                 const WaitLimit& limit) {
  absl::Status failure;
  do {
    absl::StatusOr<Socket> socket = tryConnect(point, limit);
    if (socket.ok() || absl::IsResourceExhausted(socket.status())) {
      return socket;
    }
    // `limit` may have cut the last attempt short, so the error of an earlier
    // attempt says more.
    if (failure.ok() || !limit.isOver()) failure = socket.status();
    std::this_thread::sleep_for(kRetryInterval);
  } while (!limit.isOver());
  return failure;
}

}  // namespace sbp::bootstrap
