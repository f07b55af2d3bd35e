// A TCP port that is kept free for the ranks to meet at.
//
// Between choosing a free port and listening at it, another program may take
// it. A socket that is bound to it, but does not listen, prevents that, and
// does not disturb rank 0, which binds to it too.

#ifndef RUNTIME_LAUNCH_PORTRESERVATION_H_
#define RUNTIME_LAUNCH_PORTRESERVATION_H_

#include "runtime/bootstrap/Socket.h"

namespace sbp::launch {

class PortReservation {
 public:
  /// Reserves a port of the loopback interface until the destructor. 0 if there
  /// is none.
  int reserve();

 private:
  bootstrap::Socket socket;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_PORTRESERVATION_H_
