// Keeps a TCP port free for the rendezvous of the ranks.
//
// Between choosing a free port and listening there, another program might get
// the port. While a socket is bound to it and does not listen, the system gives
// the port to no program that asks for any free one; rank 0 can still bind to
// it (SO_REUSEADDR).

#ifndef RUNTIME_LAUNCH_PORTRESERVATION_H_
#define RUNTIME_LAUNCH_PORTRESERVATION_H_

#include "runtime/bootstrap/Socket.h"

namespace sbp::launch {

/// A reserved port.
class PortReservation {
 public:
  /// Reserves a free port of the loopback interface until this object is
  /// destroyed. Returns the number of the port; 0 if none could be reserved.
  int reserve();

 private:
  bootstrap::Socket socket;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_PORTRESERVATION_H_
