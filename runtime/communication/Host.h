// The host of a rank: decides which ranks can share memory, and how many
// processors the ranks of a host have together.

#ifndef RUNTIME_COMMUNICATION_HOST_H_
#define RUNTIME_COMMUNICATION_HOST_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::communication {

/// A description of a rank's host, for the other ranks.
struct HostCard {
  /// Identifies the host. Ranks with equal ids are taken to be on one host and
  /// to reach each other's memory: they run on the same boot of the same
  /// kernel, in the same IPC, PID and user namespaces (containers on a host
  /// have their own). Environment variable SBP_HOST_ID overrides the id.
  std::string id;

  /// Identifies the boot of the kernel on which this process runs.
  std::string kernel;
  /// Identifies the user namespace of this process.
  uint64_t userNamespace = 0;

  /// Processors on which this process may run, ascending.
  std::vector<int> processors;
};

/// Returns the card of this process.
HostCard thisHost();

/// Encodes a card as a text.
std::string encodeHostCard(const HostCard& card);
/// Decodes the text of a card. Returns a card with an empty id for any other
/// text.
HostCard decodeHostCard(const std::string& text);

/// Whether all ranks that run on the same kernel are also in the same user
/// namespace. A rank may not access the memory of a process in another user
/// namespace. Each container that runs without root has a namespace of its own.
bool mayReachMemory(const std::vector<HostCard>& cards);

/// Returns the number of processors on which the ranks of host `id` may run.
int64_t numProcessors(const std::vector<HostCard>& cards,
                      const std::string& id);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_HOST_H_
