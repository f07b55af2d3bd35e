// A host that is not there: namespaces of its own on this machine.
//
// What runs on it has a network of its own, whose one interface is a TAP
// device: frames that it sends are read from a file descriptor here, and frames
// written there reach it. It has an IPC namespace of its own too, by which the
// runtime and UCX tell that they are on another host, and do not share memory.
// Cores, memory and files are those of this machine.
//
// A host lasts as long as its object, or what runs on it. Nothing of it has a
// name, so nothing is left behind.

#ifndef RUNTIME_EMULATION_HOST_H_
#define RUNTIME_EMULATION_HOST_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/emulation/FileDescriptor.h"

namespace sbp::emulation {

/// More would not fit into the hosts' network.
inline constexpr int64_t kMostHosts = 250;

/// A frame, as a port gives and takes it, begins with what the kernel says of
/// segments and checksums: a struct virtio_net_hdr. The addresses follow.
inline constexpr int64_t kFrameHeaderBytes = 10;

/// The IP address of host `number`, counted from 0.
std::string addressOf(int64_t number);

/// The host that a frame's destination address means; -1: all.
int64_t destinationOf(const unsigned char* address);

class Host {
 public:
  /// Makes host `number`, in [0, kMostHosts). Fails where the kernel refuses,
  /// as it does those who are not root. The calling thread enters it.
  static absl::StatusOr<Host> create(int64_t number);

  /// Moves the calling thread to this host.
  absl::Status enter() const;

  /// Where the host's frames can be read, and frames for it written. Does not
  /// block.
  int port() const { return tap.get(); }

 private:
  FileDescriptor network, ipc;  // the namespaces
  FileDescriptor tap;
};

}  // namespace sbp::emulation

#endif  // RUNTIME_EMULATION_HOST_H_
