// Answers visitors of a world that is complete.
//
// The port of rank 0 stays open while the world lives, so that a second job
// that chose the same port learns this at once: its rank 0 finds the port
// taken, and its other ranks learn which job answers. A thread of rank 0 does
// this. It shares no data with the rest of the world.

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
  /// Starts a thread that runs `server`. It tells a visitor that proves to be
  /// of this job which of `members`, in the order of ranks, already has its
  /// rank. Other visitors learn from the handshake that they are of another
  /// job. The destructor ends the thread and closes the server.
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
