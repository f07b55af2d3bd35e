// Messages between ranks whose memory is not shared, over UCX.
//
// A message has a tag; a receive takes a message by some bits of it. Sending
// and receiving only start an operation; whoever waits for one keeps UCX going
// by progress(). UCX does not report every death (a receive from a dead rank
// stays pending for ever): the control plane does, so every wait also watches
// the abort flag.

#ifndef RUNTIME_COMMUNICATION_UCXTRANSPORT_H_
#define RUNTIME_COMMUNICATION_UCXTRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::communication {

class UcxTransport {
 public:
  /// A message that has come.
  struct Arrival {
    uint64_t tag = 0;
    int64_t bytes = 0;  // that were sent, be they more than were asked for
  };

  /// A send or receive under way; without a request, a send that is done.
  struct Operation {
    void* request = nullptr;
  };

  /// Opens UCX for a rank of `numRanks`, to share memory with those of this
  /// host if it may. Fails, with what is missing, if UCX cannot be loaded or
  /// finds no device.
  static absl::StatusOr<std::unique_ptr<UcxTransport>> open(
      int64_t numRanks, bool mayShareMemory);

  /// What connect() needs on the other ranks: some hundred bytes.
  virtual absl::StatusOr<std::string> address() = 0;

  /// Prepares to send to `peer`, which has that address.
  virtual absl::Status connect(int64_t peer, const std::string& address) = 0;

  /// Start to send, to receive. The memory stays as it is until the operation
  /// is done. A receive takes the message whose tag is `tag` in the bits of
  /// `mask`; of one that is too long, only its Arrival.
  virtual absl::StatusOr<Operation> send(int64_t peer, uint64_t tag,
                                         const void* data, int64_t bytes) = 0;
  virtual absl::StatusOr<Operation> receive(uint64_t tag, uint64_t mask,
                                            void* data, int64_t bytes) = 0;

  /// Starts to push out what UCX still keeps of messages whose sends are done:
  /// nothing else would, while this rank computes.
  virtual absl::StatusOr<Operation> flush() = 0;

  /// True if the operation is done, well or not.
  virtual bool isDone(const Operation& operation) = 0;

  /// The end of an operation that is done, or is to be given up. The result
  /// means something for a receive that is done.
  virtual absl::StatusOr<Arrival> end(const Operation& operation) = 0;

  /// Moves what can be moved without blocking; true if that was anything.
  virtual bool progress() = 0;

  virtual ~UcxTransport() = default;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_UCXTRANSPORT_H_
