// Starts the ranks of a program on this host, and ensures that they end
// together.
//
// Each rank is a child process that leads a process group, so that signals also
// reach processes that the rank has started. A rank dies with its launcher,
// however the launcher ends. The launcher waits for all ranks, and passes on
// the signals that it gets (Ctrl-C, Ctrl-Z, SIGTERM and others). When a rank
// fails, the others notice by themselves and report whose fault it was. The
// launcher gives them some seconds for that and then kills the rest; stopped
// ranks are killed at once, because they cannot end by themselves. Ranks that
// are told to end may first finish a step and save, however long it takes. A
// second signal to end, other than SIGHUP, kills them.

#ifndef RUNTIME_LAUNCH_LAUNCHER_H_
#define RUNTIME_LAUNCH_LAUNCHER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

/// The ranks of a job that one sbprun launches.
struct LaunchOptions {
  int64_t numRanks = 1;  // on this host
  std::vector<std::string> command;

  // A job on several hosts has one launcher per host.
  int64_t numNodes = 1;                     // number of hosts
  int64_t nodeRank = 0;                     // number of this host
  std::string masterAddress = "127.0.0.1";  // host of rank 0
  int masterPort = 0;  // 0: any free port, for a job on one host

  // Seconds from the first failure of a rank until the rest is killed.
  double graceSeconds = 5;
};

/// Runs the command once per rank, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT in its environment; on one
/// host also a fresh secret in SBP_JOB_SECRET. Blocks until all ranks have
/// ended, then kills processes that they have started and left behind.
///
/// Returns 0 if all ranks returned 0 and no signal told the launcher to end.
/// If a signal did and no rank failed by itself, returns 128 + that signal.
/// Otherwise one rank is the cause: the first that failed by itself; if there
/// is none, the first that a signal told to end; else the first that ended
/// because of another rank. Returns the exit code of that rank, or 128 + the
/// signal that ended it, and names the rank on stderr, unless its exit code
/// shows that it or another rank has reported the error (ExitCode.h). Returns
/// 1, with a message, if the command cannot be run.
///
/// Takes over the signals of this process; call it from a process that has one
/// thread and no other children.
int launch(const LaunchOptions& options);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_LAUNCHER_H_
