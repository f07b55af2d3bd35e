// Answers visitors of a world that is complete.
//
// The port of rank 0 stays open while the world exists. So if a second job has
// chosen the same port, it learns this at once: its rank 0 cannot listen there,
// and its other ranks get an answer from this job. A thread of rank 0 gives
// these answers. It shares no data with the rest of the world.

#ifndef RUNTIME_BOOTSTRAP_ADMISSIONTHREAD_H_
#define RUNTIME_BOOTSTRAP_ADMISSIONTHREAD_H_

#include <thread>
#include <vector>

#include "runtime/bootstrap/AdmissionServer.h"
#include "runtime/bootstrap/Member.h"

namespace sbp::bootstrap {

/// A thread that runs the admission server of a complete world.
class AdmissionThread {
 public:
  /// Starts a thread that runs `server`. `members` are the members of the
  /// world, in the order of ranks. If a visitor proves that it belongs to this
  /// job, the thread tells it which member already has its rank. Other visitors
  /// learn from the handshake that they belong to another job. The destructor
  /// ends the thread and closes the server.
  AdmissionThread(AdmissionServer server, std::vector<Member> members);
  ~AdmissionThread();

 private:
  void keep();

  AdmissionServer server;
  const std::vector<Member> members;
  const int stopDescriptor;
  std::thread thread;
};

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ADMISSIONTHREAD_H_
