// Messages between ranks whose memory is not shared, over UCX.
//
// A message has a tag; a receive selects a message by some bits of the tag.
// send() and receive() only start an operation; a caller that waits for the
// operation must keep calling progress(). UCX does not always report that
// another rank has died: a receive from it may stay pending for ever. The
// control plane (watchdog/ControlPlane.h) does, and raises the abort flag, so
// every wait must also check this flag.

#ifndef RUNTIME_COMMUNICATION_UCXTRANSPORT_H_
#define RUNTIME_COMMUNICATION_UCXTRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::communication {

/// One rank's connection to other ranks by UCX. Belongs to one thread.
class UcxTransport {
 public:
  /// A message that has been received.
  struct Arrival {
    uint64_t tag = 0;
    int64_t bytes = 0;  // size as sent, even if it was too long to be received
  };

  /// A send or receive under way.
  struct Operation {
    void* request = nullptr;  // null: a send or flush that is done already
  };

  /// Opens UCX for a rank of `numRanks`. `mayShareMemory`: UCX may share memory
  /// with other ranks of this host. Fails, naming what is missing, if UCX
  /// cannot be loaded or finds no device.
  static absl::StatusOr<std::unique_ptr<UcxTransport>> open(
      int64_t numRanks, bool mayShareMemory);

  /// Returns the address of this rank, some hundred bytes, with which other
  /// ranks call connect().
  virtual absl::StatusOr<std::string> address() = 0;

  /// Prepares to send to `peer`, whose address() is `address`.
  virtual absl::Status connect(int64_t peer, const std::string& address) = 0;

  /// Starts a send. The memory must stay unchanged until the operation is done.
  virtual absl::StatusOr<Operation> send(int64_t peer, uint64_t tag,
                                         const void* data, int64_t bytes) = 0;
  /// Starts to receive a message whose tag equals `tag` in the bits of `mask`.
  /// The memory must not be used until the operation is done. If the message is
  /// longer than `bytes`, its data are lost, but end() returns its Arrival.
  virtual absl::StatusOr<Operation> receive(uint64_t tag, uint64_t mask,
                                            void* data, int64_t bytes) = 0;

  /// Starts to push out the data that UCX still buffers for sends that are
  /// done. Without a flush, the data might stay in the buffer while this rank
  /// computes.
  virtual absl::StatusOr<Operation> flush() = 0;

  /// Whether the operation is done, successfully or not.
  virtual bool isDone(const Operation& operation) = 0;

  /// Ends an operation: releases it if it is done, otherwise cancels it. The
  /// result is meaningful only for a receive that is done. Fails with
  /// kUnavailable if the operation has failed.
  virtual absl::StatusOr<Arrival> end(const Operation& operation) = 0;

  /// Moves operations on without blocking. Returns whether there was anything
  /// to do.
  virtual bool progress() = 0;

  virtual ~UcxTransport() = default;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_UCXTRANSPORT_H_
