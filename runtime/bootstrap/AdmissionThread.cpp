#include "runtime/bootstrap/AdmissionThread.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

namespace sbp::bootstrap {

AdmissionThread::AdmissionThread(AdmissionServer theServer,
                                 std::vector<Member> members)
    : server(std::move(theServer)),
      members(std::move(members)),
      stopDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread([this] { keep(); }) {}

AdmissionThread::~AdmissionThread() {
  const uint64_t one = 1;
  const ssize_t ignored = write(stopDescriptor, &one, sizeof(one));
  (void)ignored;
  thread.join();
  close(stopDescriptor);
}

void AdmissionThread::keep() {
  while (true) {
    std::vector<pollfd> entries = {{stopDescriptor, POLLIN, 0}};
    server.addTo(entries);
    poll(entries.data(), entries.size(), server.pollMilliseconds());
    if (entries[0].revents != 0) return;
    for (CheckedVisitor& visitor : server.serve()) {
      // Other visitors have found out for themselves that they do not belong to
      // this job.
      const size_t rank = visitor.member.rank;
      if (!visitor.isProven || visitor.difference || rank >= members.size()) {
        continue;
      }
      visitor.channel.send(MessageKind::kTurnAway,
                           describeClash(members[rank], visitor.member));
    }
  }
}

}  // namespace sbp::bootstrap
