// Starts the ranks of a program on this host, and sees that they end together.
//
// Each rank is a child that leads a process group, so that what it starts
// itself can be reached too, and dies with its launcher, however that ends. The
// launcher waits. What it is told (Ctrl-C, Ctrl-Z, a kill), it tells the ranks.
// When a rank fails, the others notice by themselves and say whose fault it
// was; the launcher gives them some seconds for it and then kills what is left,
// and at once what is stopped, as that cannot end by itself.
// Ranks that are told to end may finish a step and save first, however long it
// takes; told once more, the launcher kills them.

#ifndef RUNTIME_LAUNCH_LAUNCHER_H_
#define RUNTIME_LAUNCH_LAUNCHER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

struct LaunchOptions {
  int64_t numRanks = 1;  // on this host
  std::vector<std::string> command;

  // A job on several hosts is one launcher per host.
  int64_t numNodes = 1;
  int64_t nodeRank = 0;
  std::string masterAddress = "127.0.0.1";
  int masterPort = 0;  // 0: any that is free

  double graceSeconds = 5;
};

/// Runs the command once per rank, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT in its environment, and, on
/// one host, a fresh secret in SBP_JOB_SECRET, and waits for all. Returns 0 if
/// all ranks did; otherwise the exit code of the rank that failed first, or 128
/// + the signal that ended it, having said on stderr which it was, unless by
/// its exit code it has said so itself (ExitCode.h). 1, with a message, if the
/// command cannot be run.
///
/// Takes over the signals of this process; call it from a process that has one
/// thread and no other children.
int launch(const LaunchOptions& options);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_LAUNCHER_H_
