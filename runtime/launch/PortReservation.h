// Keeps a TCP port free for the rendezvous of the ranks.
//
// Between choosing a free port and listening there, another program might get
// the port. So a socket is bound to the port but does not listen. Then the
// system does not give the port to programs that ask for any free port, but
// rank 0 can still bind to it (SO_REUSEADDR).

#ifndef RUNTIME_LAUNCH_PORTRESERVATION_H_
#define RUNTIME_LAUNCH_PORTRESERVATION_H_

#include "runtime/bootstrap/Socket.h"

namespace sbp::launch {

/// A reserved port.
class PortReservation {
 public:
  /// Reserves a free port of the loopback interface until this object is
  /// destroyed. Returns the number of the port; 0 if no port could be reserved.
  int reserve();

 private:
  bootstrap::Socket socket;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_PORTRESERVATION_H_
