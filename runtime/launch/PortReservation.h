// Keeps a TCP port free for the rendezvous of the ranks.
//
// Between choosing a free port and listening at it, another program may take
// it. A socket that is bound to the port, but does not listen, prevents that;
// rank 0 can still bind to it.

#ifndef RUNTIME_LAUNCH_PORTRESERVATION_H_
#define RUNTIME_LAUNCH_PORTRESERVATION_H_

#include "runtime/bootstrap/Socket.h"

namespace sbp::launch {

/// A reserved port.
class PortReservation {
 public:
  /// Reserves a free port of the loopback interface until this object is
  /// destroyed, and returns its number; 0 if there is none.
  int reserve();

 private:
  bootstrap::Socket socket;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_PORTRESERVATION_H_
