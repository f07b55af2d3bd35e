// Keeps the door of a world that is complete.
//
// A second job on the same port must not wait for ranks that have come here: as
// long as this world lives, rank 0 of the other job finds the port taken, and
// its ranks are told who answers. A thread of rank 0 does that. It touches
// nothing of the world.

#ifndef RUNTIME_BOOTSTRAP_DOORKEEPER_H_
#define RUNTIME_BOOTSTRAP_DOORKEEPER_H_

#include <thread>
#include <vector>

#include "runtime/bootstrap/Door.h"
#include "runtime/bootstrap/Member.h"

namespace sbp::bootstrap {

class Doorkeeper {
 public:
  /// Turns away whoever comes to `door`, until the destructor: `members` are
  /// there already.
  Doorkeeper(Door door, std::vector<Member> members);
  ~Doorkeeper();

 private:
  void keep();

  Door door;
  const std::vector<Member> members;
  const int stopDescriptor;
  std::thread thread;
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_DOORKEEPER_H_
