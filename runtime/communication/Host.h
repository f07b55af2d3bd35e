// Which ranks can share memory, and how many cores they have together.

#ifndef RUNTIME_COMMUNICATION_HOST_H_
#define RUNTIME_COMMUNICATION_HOST_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::communication {

/// What a rank tells the others of the host it is on.
struct HostCard {
  /// Ranks with equal ids are on one host and can see each other's processes:
  /// one boot of one kernel, one IPC and one PID namespace (containers of a
  /// host have their own). SBP_HOST_ID in the environment takes its place.
  std::string id;

  /// The processors that this process may run on, ascending.
  std::vector<int> processors;
};

/// The card of this process.
HostCard thisHost();

/// A card as a text, and back; a text that is no card has an empty id.
std::string encodeHostCard(const HostCard& card);
HostCard decodeHostCard(const std::string& text);

/// Number of processors that the ranks of `cards` on host `id` may run on.
int64_t numProcessors(const std::vector<HostCard>& cards,
                      const std::string& id);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_HOST_H_
