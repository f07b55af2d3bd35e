#include "runtime/bootstrap/Doorkeeper.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

namespace sbp::bootstrap {

Doorkeeper::Doorkeeper(Door theDoor, std::vector<Member> members)
    : door(std::move(theDoor)),
      members(std::move(members)),
      stopDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread([this] { keep(); }) {}

Doorkeeper::~Doorkeeper() {
  const uint64_t one = 1;
  const ssize_t ignored = write(stopDescriptor, &one, sizeof(one));
  (void)ignored;
  thread.join();
  close(stopDescriptor);
}

void Doorkeeper::keep() {
  while (true) {
    std::vector<pollfd> entries = {{stopDescriptor, POLLIN, 0}};
    door.addTo(entries);
    poll(entries.data(), entries.size(), door.pollMilliseconds());
    if (entries[0].revents != 0) return;
    for (Guest& guest : door.serve()) {
      // Other visitors have found out for themselves that they do not belong to
      // this job.
      const size_t rank = guest.member.rank;
      if (!guest.isProven || guest.difference || rank >= members.size()) {
        continue;
      }
      guest.channel.send(MessageKind::kTurnAway,
                         describeClash(members[rank], guest.member));
    }
  }
}

}  // namespace sbp::bootstrap
