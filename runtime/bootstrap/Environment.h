// Which rank am I, and where do the others meet? What launchers say.
//
// Every launcher tells its processes their number in the environment, each in
// words of its own:
//
//   sbprun, torchrun   RANK  WORLD_SIZE  LOCAL_RANK  MASTER_ADDR  MASTER_PORT
//   mpirun (Open MPI)  OMPI_COMM_WORLD_RANK  _SIZE  _LOCAL_RANK  _LOCAL_SIZE
//   srun (Slurm)       SLURM_PROCID  SLURM_STEP_NUM_TASKS  SLURM_LOCALID
//
// The first that is there counts; what the others say is kept, for messages.
// Ranks meet where rank 0 listens. MASTER_ADDR and MASTER_PORT say where;
// mpirun and srun do not set them, but give the job a name. On a single host
// that name becomes the name of a socket (an abstract Unix socket: no file,
// gone with the job), between hosts a port number on the first host of the job.
//
// torchrun's agent mostly listens at MASTER_PORT itself, for PyTorch's store,
// and says so by TORCHELASTIC_USE_AGENT_STORE. Ranks leave that port alone:
// MASTER_PORT and the name of the run decide on some others, of which rank 0
// takes the first that is free, and the others look for it at all of them.
//
// SBP_JOB_SECRET, whoever set it, is what ranks know their own job by
// (Identity.h).

#ifndef RUNTIME_BOOTSTRAP_ENVIRONMENT_H_
#define RUNTIME_BOOTSTRAP_ENVIRONMENT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace sbp::bootstrap {

/// The variable that holds the secret of a job.
inline constexpr char kSecretVariable[] = "SBP_JOB_SECRET";

/// Where rank 0 listens.
struct MeetingPoint {
  std::string socketName;  // of an abstract Unix socket; empty for TCP
  std::string host;
  int port = 0;

  /// "node01:29500", or "socket sbp-...".
  std::string describe() const;
};

/// A launcher whose variables do not count, and what they say.
struct OtherLauncher {
  std::string launcher;
  std::string variables;  // "OMPI_COMM_WORLD_RANK=2, OMPI_COMM_WORLD_SIZE=4"
};

/// One process's place in its world.
struct Environment {
  // "sbprun or torchrun", "torchrun", "mpirun", "srun", "none"
  std::string launcher;
  std::string variables;  // that say so: "RANK=0, WORLD_SIZE=1"
  int64_t rank = 0;
  int64_t size = 1;
  int64_t localRank = 0;
  MeetingPoint meetingPoint;    // unused in a world of one
  std::vector<int> sparePorts;  // where rank 0 listens if others do before
  std::string jobName;          // what the launcher calls it; empty: nothing
  std::string secret;           // SBP_JOB_SECRET; empty: none

  // Launchers that put this process elsewhere.
  std::vector<OtherLauncher> contradictions;

  /// Returns the addresses at which rank 0 may listen, in the order in which it
  /// tries: the meeting point, then its spare ports.
  std::vector<MeetingPoint> candidates() const;
};

/// Looks up an environment variable.
using Lookup =
    std::function<std::optional<std::string>(const std::string& name)>;

/// Reads the place of this process from its environment. A process that no
/// launcher started is rank 0 of 1. Fails, naming the variable, on one that is
/// no number, is out of range, or is missing beside its partner.
absl::StatusOr<Environment> readEnvironment();

/// The same of an environment given as a function, for tests.
absl::StatusOr<Environment> readEnvironment(const Lookup& lookup);

/// The first host of a Slurm node list: "gpu[03-05,9],login" is "gpu03".
std::string firstHost(const std::string& nodeList);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ENVIRONMENT_H_
