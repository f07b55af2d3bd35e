#include "runtime/launch/PortReservation.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace sbp::launch {

int PortReservation::reserve() {
  socket = bootstrap::Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket.fd(), generic, length) != 0 ||
      getsockname(socket.fd(), generic, &length) != 0) {
    return 0;
  }
  return ntohs(address.sin_port);
}

}  // namespace sbp::launch
