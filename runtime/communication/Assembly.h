// Puts a rank's communicator together once the ranks can talk.
//
// The ranks tell each other what host they are on; those of one host share
// their memory; if some cannot, UCX comes in. Every step that may fail on one
// rank ends with all ranks agreeing on whether it did, so that they go on, or
// give up with one message, together.

#ifndef RUNTIME_COMMUNICATION_ASSEMBLY_H_
#define RUNTIME_COMMUNICATION_ASSEMBLY_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/World.h"
#include "runtime/watchdog/AbortFlag.h"
#include "runtime/watchdog/Control.h"

namespace sbp::communication {

/// The communicator of a world of one.
absl::StatusOr<std::unique_ptr<Communicator>> assembleAlone(
    const WorldOptions& options, std::shared_ptr<watchdog::AbortFlag> flag);

/// Whether the ranks that `control` connects have one address space.
enum class RankKind { kProcess, kThread };

/// The communicator of rank `rank`; every rank must call it. An error that all
/// ranks share is kAborted on all but rank 0, which reports it.
absl::StatusOr<std::unique_ptr<Communicator>> assemble(
    const WorldOptions& options, int64_t rank, RankKind kind,
    std::unique_ptr<watchdog::Control> control,
    std::shared_ptr<watchdog::AbortFlag> flag);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_ASSEMBLY_H_
