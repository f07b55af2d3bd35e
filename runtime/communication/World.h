// Worlds: how ranks come together, and the promise of how they part.
//
// connect() finds out from the environment (bootstrap/Environment.h) which rank
// this process is, meets the others over a socket, where they prove to each
// other that they are of one job and were started alike
// (bootstrap/Rendezvous.h), and keeps that socket: a control plane on which
// each rank's pulse can be felt.
//
//   a rank dies (killed, crashed, exited)     the others know within 0.1 s
//   a rank stalls (stopped, host unreachable) within heartbeatTimeoutSeconds
//                                             + 1 s
//   a rank hangs: it is alive, but does not   within waitTimeoutSeconds + 1 s
//   come where others wait for it, or all
//   wait for each other
//   ranks run different collectives           at once, where they are of one
//                                             group; as hanging otherwise
//   a rank calls fail()                       at once
//
// Ranks that are threads of one process are not watched for hanging.
//
// The first verdict wins and is the same on every rank. A world that is stopped
// as a whole and goes on later accuses nobody: time in which who watches gets
// no processor for more than a quarter of the timeout does not count.
//
// runInProcess() makes the same world of threads, for tests and for trying a
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
#include "runtime/bootstrap/Start.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// How bytes travel.
enum class Transport {
  kAuto,          // shared memory within a host, UCX between hosts
  kSharedMemory,  // as kAuto, but fails where UCX would be needed
  kUcx,           // UCX even within a host
};

/// Reads "auto", "shm" or "ucx".
absl::StatusOr<Transport> parseTransport(std::string_view text);

struct WorldOptions {
  /// The groups of the plan; the first one has all ranks of the world.
  std::vector<plan::Group> groups = std::vector<plan::Group>(1);

  /// The transfers between groups that ranks will run.
  std::vector<plan::Transfer> transfers;

  /// Bytes of each rank's arena, in the order of ranks.
  std::vector<int64_t> arenaBytes;

  /// kAuto gives way to environment SBP_TRANSPORT.
  Transport transport = Transport::kAuto;

  /// Silence after which a rank counts as stalled. 0: environment
  /// SBP_HEARTBEAT_TIMEOUT, else 5 s.
  double heartbeatTimeoutSeconds = 0;

  /// How long a rank may keep others waiting without noteStep(), and all ranks
  /// may wait for each other. 0: environment SBP_WAIT_TIMEOUT, else 600 s: more
  /// than any kernel or file should take; what it ends would never have ended.
  double waitTimeoutSeconds = 0;

  /// How long to wait for all ranks to appear. 0: environment
  /// SBP_CONNECT_TIMEOUT, else 60 s, or waitTimeoutSeconds if that is less: no
  /// rank shall be waited for longer than that.
  double connectTimeoutSeconds = 0;

  /// Becomes the number of the signal that tells this process to end, which
  /// then waits for no rank to appear. Null: none does.
  const std::atomic<int>* stopSignal = nullptr;

  /// What else all ranks must have been started with alike. The mesh, the
  /// arenas and the transport are added to it.
  bootstrap::Start start;
};

/// Connects this process with the other ranks of its job. Fails, with one
/// message that says what to do, if the environment makes no sense, the world's
/// size is not the mesh's, ranks do not appear in time (they are named) or were
/// started differently, another job has the port, or there is no way for the
/// bytes. A process without launcher is a world of one rank. The status is
/// kAborted if another rank has said why, kCancelled if this process was told
/// to end; that has been said as well.
absl::StatusOr<std::unique_ptr<Communicator>> connect(
    const WorldOptions& options);

/// Runs `body` for every rank of the mesh, each on a thread of this process,
/// and finishes its communicator when it returns OK. A rank whose body returns
/// an error fails the world. Returns the error that came first, OK if none did.
absl::Status runInProcess(
    const WorldOptions& options,
    const std::function<absl::Status(Communicator&)>& body);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORLD_H_
