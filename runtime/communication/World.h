// Worlds: how ranks connect, and how soon each rank learns that another rank
// has failed.
//
// connect() reads the rank of this process from the environment
// (bootstrap/Environment.h). It meets the other ranks over a socket, where they
// prove to each other that they belong to one job and were started alike
// (bootstrap/Rendezvous.h). The sockets then carry the control plane, which
// watches the ranks:
//
//   a rank dies (killed, crashed, exited)     the others know within 0.1 s
//   a rank stalls (stopped, host unreachable) within heartbeatTimeoutSeconds
//                                             + 1 s
//   a rank hangs: it is alive, but does not   within waitTimeoutSeconds + 1 s
//   come where others wait for it, or all
//   wait for each other
//   ranks run different collectives           at once within one group;
//                                             otherwise as hanging
//   a rank calls fail()                       at once
//
// Ranks that are threads of one process are not watched for stalls or hanging.
//
// When the world ends early, the verdict is the error that names the rank that
// has caused the end. The first verdict counts, and is the same on every rank.
// A world that is stopped and resumed as a whole goes on: if a watching thread
// gets no processor for longer than a quarter of the timeout, the time beyond
// this quarter does not count as silence.
//
// runInProcess() makes a world of threads, for tests and for trying a
// distributed program on one machine without a launcher.

#ifndef RUNTIME_COMMUNICATION_WORLD_H_
#define RUNTIME_COMMUNICATION_WORLD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/bootstrap/StartArguments.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// The way in which bytes travel between ranks.
enum class Transport {
  kAuto,          // shared memory within a host, UCX between hosts
  kSharedMemory,  // like kAuto, but fails if UCX would be needed
  kUcx,           // UCX, even within a host
};

/// Parses "auto", "shm" or "ucx"; fails for any other text.
absl::StatusOr<Transport> parseTransport(std::string_view text);

/// The size, layout and time limits of a world.
struct WorldOptions {
  /// The groups of the plan; the first one has all ranks of the world.
  std::vector<plan::Group> groups = std::vector<plan::Group>(1);

  /// The transfers between groups that ranks will run. Transfer::times is here
  /// the number of occurrences in all steps that can be under way at the same
  /// time (Collectives::run).
  std::vector<plan::Transfer> transfers;

  /// Size of each rank's arena in bytes, in the order of ranks.
  std::vector<int64_t> arenaBytes;

  /// With kAuto, the environment variable SBP_TRANSPORT decides if it is set.
  Transport transport = Transport::kAuto;

  /// Silence after which a rank counts as stalled. 0: environment variable
  /// SBP_HEARTBEAT_TIMEOUT, or else 5 s.
  double heartbeatTimeoutSeconds = 0;

  /// Time for which a rank may keep others waiting without calling noteStep(),
  /// and for which all ranks may wait for each other. Only rank 0's value
  /// counts. 0: environment variable SBP_WAIT_TIMEOUT, or else 600 s, more than
  /// any kernel or file should take.
  double waitTimeoutSeconds = 0;

  /// Time for which this rank waits for all ranks to appear. 0: environment
  /// variable SBP_CONNECT_TIMEOUT, or else 60 s, or this rank's
  /// waitTimeoutSeconds if that is less.
  double connectTimeoutSeconds = 0;

  /// Points to the number of the signal that has told this process to end, or
  /// to 0 if none has. If it is not 0, connect() stops waiting for ranks to
  /// appear. The pointer may be null.
  const std::atomic<int>* stopSignal = nullptr;

  /// Further start arguments that must be the same on all ranks. connect() adds
  /// the groups, the arenas and the transport.
  bootstrap::StartArguments start;
};

/// Connects this process with the other ranks of its job. Blocks until all
/// ranks have come. A process without a launcher is a world of one rank.
///
/// Fails, with one message that says what to do, if the environment is
/// contradictory, the world's size differs from the plan's, ranks do not appear
/// in time (the message names them) or were started differently, another job
/// has the port, or the ranks cannot reach each other. The status is kAborted
/// if another rank reports the error, and kCancelled if this process was told
/// to end. In these two cases the caller need not report the error.
absl::StatusOr<std::unique_ptr<Communicator>> connect(
    const WorldOptions& options);

/// Runs `body` for every rank, each on a thread of this process, and finishes
/// the rank's communicator when `body` returns OK. A rank whose body returns an
/// error fails the world. Blocks until all threads have ended. Returns the
/// error of the lowest rank that has failed by itself, not because another rank
/// had failed; OK if no rank has failed.
absl::Status runInProcess(
    const WorldOptions& options,
    const std::function<absl::Status(Communicator&)>& body);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORLD_H_
