// The rank of this process, the size of its world, and the address where ranks
// meet, as launchers set them in the environment.
//
// Every launcher has its own variables:
//
//   sbprun, torchrun   RANK  WORLD_SIZE  LOCAL_RANK  MASTER_ADDR  MASTER_PORT
//   mpirun (Open MPI)  OMPI_COMM_WORLD_RANK  _SIZE  _LOCAL_RANK  _LOCAL_SIZE
//   srun (Slurm)       SLURM_PROCID  SLURM_STEP_NUM_TASKS  SLURM_LOCALID
//
// The first launcher of this list that has set a rank or a size counts (srun
// only with SLURM_STEP_ID: a script under sbatch has a rank without srun). If
// the variables of a launcher further down the list give another rank or size,
// they are kept for messages (Environment::contradictions).
//
// Ranks meet where rank 0 listens, at MASTER_ADDR and MASTER_PORT. mpirun and
// srun do not set these variables, but give the job a name. If MASTER_ADDR is
// not set and the job runs on one host, the name becomes the name of an
// abstract Unix socket (no file, gone with the job). Otherwise the address
// defaults to the first host of srun's list (mpirun has no list: the user must
// set MASTER_ADDR) and the port to a number derived from the name. For a job
// without a name the defaults are 127.0.0.1 and port 29500.
//
// torchrun's agent usually listens at MASTER_PORT itself, for PyTorch's store;
// it says so by setting TORCHELASTIC_USE_AGENT_STORE. In this case ranks do not
// use that port. MASTER_PORT and the name of the run determine eight other
// ports; rank 0 takes the first that is free, and the other ranks try all of
// them.
//
// SBP_JOB_SECRET holds the secret by which ranks recognise their own job
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

/// Name of the variable that holds the secret of a job.
inline constexpr char kSecretVariable[] = "SBP_JOB_SECRET";

/// An address at which rank 0 listens.
struct MeetingPoint {
  std::string socketName;  // name of an abstract Unix socket; empty for TCP
  std::string host;
  int port = 0;

  /// Returns "node01:29500", or "socket sbp-...".
  std::string describe() const;
};

/// A launcher whose variables are set but do not count, and the values of these
/// variables.
struct OtherLauncher {
  std::string launcher;
  std::string variables;  // "OMPI_COMM_WORLD_RANK=2, OMPI_COMM_WORLD_SIZE=4"
};

/// The rank of this process and its world.
struct Environment {
  /// The launcher that started this process: "sbprun or torchrun", "torchrun",
  /// "mpirun", "srun" or "none".
  std::string launcher;
  std::string variables;  // the variables that count: "RANK=0, WORLD_SIZE=1"
  int64_t rank = 0;
  int64_t size = 1;
  int64_t localRank = 0;      // among the ranks of this host; 0 if not set
  MeetingPoint meetingPoint;  // unused if size is 1
  // Further ports at which rank 0 may listen, in the order in which it tries.
  std::vector<int> sparePorts;
  std::string jobName;  // the launcher's name for the job; may be empty
  std::string secret;   // SBP_JOB_SECRET; empty: none, or size is 1

  /// Launchers further down the list that give this process another rank or
  /// size.
  std::vector<OtherLauncher> contradictions;

  /// Returns the addresses at which rank 0 may listen, in the order in which it
  /// tries: the meeting point, then its spare ports.
  std::vector<MeetingPoint> candidates() const;
};

/// Looks up an environment variable.
using Lookup =
    std::function<std::optional<std::string>(const std::string& name)>;

/// Reads the environment of this process. A process that no launcher started is
/// rank 0 of 1. Fails if a variable that counts is not a number or is out of
/// range, if only one of rank and size is set, or if no variable says at which
/// host the ranks meet. The error names the variable.
absl::StatusOr<Environment> readEnvironment();

/// Reads the environment whose variables `lookup` returns, for tests.
absl::StatusOr<Environment> readEnvironment(const Lookup& lookup);

/// Returns the first host of a Slurm node list: "gpu03" for
/// "gpu[03-05,9],login".
std::string firstHost(const std::string& nodeList);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ENVIRONMENT_H_
