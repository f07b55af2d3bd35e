// Which ranks can share memory, and how many cores they have together.

#ifndef RUNTIME_COMMUNICATION_HOST_H_
#define RUNTIME_COMMUNICATION_HOST_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::communication {

/// What a rank tells the others of the host it is on.
struct HostCard {
  /// Ranks with equal ids are on one host and can reach each other's memory:
  /// one boot of one kernel, one IPC, one PID and one user namespace
  /// (containers of a host have their own). SBP_HOST_ID in the environment
  /// takes its place.
  std::string id;

  /// The boot of the kernel that this process runs on, and its user namespace.
  std::string kernel;
  uint64_t userNamespace = 0;

  /// The processors that this process may run on, ascending.
  std::vector<int> processors;
};

/// The card of this process.
HostCard thisHost();

/// A card as a text, and back; a text that is no card has an empty id.
std::string encodeHostCard(const HostCard& card);
HostCard decodeHostCard(const std::string& text);

/// Whether all ranks of a kernel may reach each other's memory, as far as user
/// namespaces matter: a rank may not touch what belongs to processes of another
/// one (containers without root).
bool mayReachMemory(const std::vector<HostCard>& cards);

/// Number of processors that the ranks of `cards` on host `id` may run on.
int64_t numProcessors(const std::vector<HostCard>& cards,
                      const std::string& id);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_HOST_H_
