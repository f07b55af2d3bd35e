// One rank as a child of its launcher.

#ifndef RUNTIME_LAUNCH_RANKPROCESS_H_
#define RUNTIME_LAUNCH_RANKPROCESS_H_

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::launch {

/// What a rank finds in its environment.
struct RankEnvironment {
  int64_t rank = 0;
  int64_t worldSize = 1;
  int64_t localRank = 0;
  int64_t localSize = 1;
  std::string masterAddress;
  int masterPort = 0;
  std::string secret;  // of the job; empty: what the caller's environment has
};

class RankProcess {
 public:
  /// Starts `command` (looked up in PATH) as the leader of a process group,
  /// with `signalMask`, and with SIGKILL as what it gets when the caller's
  /// thread ends. Rank 0 reads the caller's standard input unless that is a
  /// terminal, which a process group of its own may not read; the others read
  /// nothing. Returns why it cannot be run, empty if it can.
  std::string start(const std::vector<std::string>& command,
                    const RankEnvironment& environment,
                    const sigset_t& signalMask);

  /// Sends a signal to the rank and all that it has started.
  void signal(int number) const { kill(-processId, number); }

  int64_t rank() const { return rankNumber; }
  pid_t pid() const { return processId; }
  bool isRunning() const { return isAlive; }

  /// It was stopped, by SIGSTOP or the like, and has not gone on.
  bool isStopped() const;

  void markEnded() { isAlive = false; }

 private:
  int64_t rankNumber = 0;
  pid_t processId = 0;
  bool isAlive = false;
};

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_RANKPROCESS_H_
