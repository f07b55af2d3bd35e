// Builds a rank's communicator, once the ranks can exchange messages.
//
// Each rank informs the others which host it is on. Ranks of one host map each
// other's memory, and reach ranks of other hosts by UCX. If a rank may not map
// the memory of another rank of its host, all ranks use UCX for all
// communication. Assembling fails instead if only shared memory is permitted
// (Transport::kSharedMemory), or if the reason is a limit, for instance on open
// files. After every step that may fail, all ranks agree on whether it has
// failed anywhere, so that they go on together or give up together, with one
// message.

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

/// Returns the communicator of a world of one rank.
absl::StatusOr<std::unique_ptr<Communicator>> assembleAlone(
    const WorldOptions& options, std::shared_ptr<watchdog::AbortFlag> flag);

/// Whether ranks are processes, or threads that share an address space.
enum class RankKind { kProcess, kThread };

/// Returns the communicator of rank `rank`. Every rank must call it; blocks
/// until all have. `control` carries the texts that ranks exchange during
/// set-up, and raises `flag` when the world ends early. Ranks fail together,
/// with the same error; its status is kAborted on all but rank 0, which reports
/// it.
absl::StatusOr<std::unique_ptr<Communicator>> assemble(
    const WorldOptions& options, int64_t rank, RankKind kind,
    std::unique_ptr<watchdog::Control> control,
    std::shared_ptr<watchdog::AbortFlag> flag);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_ASSEMBLY_H_
