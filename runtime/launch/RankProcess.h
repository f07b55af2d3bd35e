// A rank as a child process of its launcher.

#ifndef RUNTIME_LAUNCH_RANKPROCESS_H_
#define RUNTIME_LAUNCH_RANKPROCESS_H_

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

/// The values of the variables that the launcher sets for a rank.
struct RankEnvironment {
  int64_t rank = 0;
  int64_t worldSize = 1;
  int64_t localRank = 0;
  int64_t localSize = 1;
  std::string masterAddress;
  int masterPort = 0;
  /// Secret of the job; empty: the rank inherits the launcher's variable.
  std::string secret;
};

/// The process of one rank.
class RankProcess {
 public:
  /// Starts `command` as the leader of a new process group, with signal mask
  /// `signalMask`. Looks the program up in PATH. The system kills the process
  /// (SIGKILL) when the calling thread ends. Rank 0 inherits the caller's
  /// standard input, unless this is a terminal, from which other process groups
  /// may not read. Then, and on other ranks, standard input is empty. Blocks
  /// until the command runs or has failed to start. Returns the reason if the
  /// command cannot be run, otherwise "".
  std::string start(const std::vector<std::string>& command,
                    const RankEnvironment& environment,
                    const sigset_t& signalMask);

  /// Sends signal `number` to the rank's process group: the rank and the
  /// processes that it has started.
  void signal(int number) const { kill(-processId, number); }

  int64_t rank() const { return rankNumber; }
  pid_t pid() const { return processId; }
  bool isRunning() const { return isAlive; }

  /// Whether the rank is stopped, by SIGSTOP or similar.
  bool isStopped() const;

  /// Records that the process has ended. Call it when waitpid() has said so.
  void markEnded() { isAlive = false; }

 private:
  int64_t rankNumber = 0;
  pid_t processId = 0;
  bool isAlive = false;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_RANKPROCESS_H_
