// Starts the ranks of a program on this host, and ensures that they end
// together.
//
// Each rank is a child process that leads a process group, so that signals also
// reach processes that it has started. It dies with its launcher, however that
// ends. The launcher waits for all ranks, and passes on the signals that it
// gets (Ctrl-C, Ctrl-Z, a kill). When a rank fails, the others notice by
// themselves and report whose fault it was. The launcher gives them some
// seconds for that and then kills the rest; stopped ranks are killed at once,
// because they cannot end by themselves. Ranks that are told to end may first
// finish a step and save, however long it takes; at a second signal, other than
// SIGHUP, the launcher kills them.

#ifndef RUNTIME_LAUNCH_LAUNCHER_H_
#define RUNTIME_LAUNCH_LAUNCHER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

/// The command line of sbprun, without calibration.
struct LaunchOptions {
  int64_t numRanks = 1;  // on this host
  std::vector<std::string> command;

  // A job on several hosts has one launcher per host.
  int64_t numNodes = 1;
  int64_t nodeRank = 0;
  std::string masterAddress = "127.0.0.1";
  int masterPort = 0;  // 0: any free port

  // Seconds from the first failure of a rank until the rest is killed.
  double graceSeconds = 5;
};

/// Runs the command once per rank, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT in its environment; on one
/// host also a fresh secret in SBP_JOB_SECRET. Blocks until all ranks have
/// ended.
///
/// Returns 0 if all ranks returned 0. Otherwise one rank is the cause: the
/// first that failed by itself; if there is none, the first that a signal told
/// to end; else the first that ended because of another rank. Returns the exit
/// code of that rank, or 128 + the signal that ended it, and names the rank on
/// stderr, unless its exit code shows that it has reported the error itself
/// (ExitCode.h). If a signal told the launcher to end, and no rank failed by
/// itself, returns 128 + that signal. Returns 1, with a message, if the command
/// cannot be run.
///
/// Takes over the signals of this process; call it from a process that has one
/// thread and no other children.
int launch(const LaunchOptions& options);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_LAUNCHER_H_
