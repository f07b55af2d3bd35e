// An emulated host: network and IPC namespaces on this machine.
//
// A process on the host has a network of its own, whose only interface beside
// loopback is a TAP device: frames that the process sends can be read from a
// file descriptor, port(), and frames written to the descriptor reach the
// process. Because of its own IPC namespace, the runtime and UCX consider it to
// be on another host and do not share memory. Cores, memory and files are those
// of this machine.
//
// A host exists as long as its object or a process on it exists. Its namespaces
// have no names in the file system, so nothing remains afterwards.

#ifndef TOOLS_EMULATION_HOST_H_
#define TOOLS_EMULATION_HOST_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/emulation/FileDescriptor.h"

namespace sbp::emulation {

/// Largest number of hosts that fit into the emulated network.
inline constexpr int64_t kMostHosts = 250;

/// Size of the header of a frame at a port, in bytes: a struct virtio_net_hdr,
/// in which the kernel describes segmentation and checksums. The Ethernet
/// addresses follow.
inline constexpr int64_t kFrameHeaderBytes = 10;

/// Returns the IP address of host `number`, counted from 0.
std::string addressOf(int64_t number);

/// Returns the host with the Ethernet address `address`, of six bytes; -1 for a
/// group address, which stands for all hosts.
int64_t destinationOf(const unsigned char* address);

/// An emulated host; see above.
class Host {
 public:
  /// Makes host `number`, in [0, kMostHosts). Fails if the kernel refuses, as
  /// it does for users other than root. The calling thread enters the host.
  static absl::StatusOr<Host> create(int64_t number);

  /// Moves the calling thread to this host.
  absl::Status enter() const;

  /// Returns the descriptor from which frames of the host are read, and to
  /// which frames for the host are written. Reads and writes do not block.
  int port() const { return tap_.get(); }

 private:
  FileDescriptor network_, ipc_;  // the namespaces
  FileDescriptor tap_;
};

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_HOST_H_
