// Starts the ranks of a program on this host, and ensures that they end
// together.
//
// Each rank is a child process that leads its own process group, so that
// signals also reach processes that the rank has started. If the launcher ends
// for any reason, its ranks are killed. The launcher waits for all ranks, and
// passes on the signals that it gets (Ctrl-C, Ctrl-Z, SIGTERM and others). When
// a rank fails, the other ranks notice this themselves, and report which rank
// has failed. The launcher gives them some seconds
// (LaunchOptions::graceSeconds) to end, then kills the ranks that still run. It
// kills stopped ranks at once, because they cannot end by themselves. When a
// signal tells the ranks to end, they may first finish a step and save, however
// long that takes. A second such signal, unless it is SIGHUP, kills them.

#ifndef RUNTIME_LAUNCH_LAUNCHER_H_
#define RUNTIME_LAUNCH_LAUNCHER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

/// The settings of a launch.
struct LaunchOptions {
  int64_t numRanks = 1;  // on this host
  std::vector<std::string> command;

  // A job on several hosts has one launcher per host.
  int64_t numNodes = 1;                     // number of hosts
  int64_t nodeRank = 0;                     // number of this host
  std::string masterAddress = "127.0.0.1";  // host of rank 0
  int masterPort = 0;  // 0: any free port, for a job on one host

  // Seconds from the first failure of a rank until the other ranks are killed.
  double graceSeconds = 5;
};

/// Runs the command once per rank, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT in its environment; on one
/// host also a fresh secret in SBP_JOB_SECRET. Blocks until all ranks have
/// ended, then kills processes that they have started and left behind.
///
/// Returns 0 if all ranks returned 0 and no signal told the launcher to end. If
/// a signal told the launcher to end, and no rank failed by itself, returns 128
/// + the number of that signal. Otherwise one rank counts as the cause: the
/// first rank that failed by itself; if there is none, the first rank that a
/// signal told to end; if there is none either, the first rank that ended
/// because of another rank. Returns the exit code of that rank, or 128 + the
/// number of the signal that killed it. Also prints on stderr which rank it
/// was, unless its exit code says that it or another rank has reported the
/// error (main/ExitCode.h). Returns 1, with a message, if the command cannot be
/// run.
///
/// Takes over the signals of this process; call it from a process that has one
/// thread and no other children.
int launch(const LaunchOptions& options);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_LAUNCHER_H_
