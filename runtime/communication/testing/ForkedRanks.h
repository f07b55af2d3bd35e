// Ranks of a test that are processes.

#ifndef RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_
#define RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sbp::communication {

/// The end of a process.
struct RankExit {
  int status = 0;         // as waitpid returns it
  double seconds = 0;     // time since the ranks were started
  std::string errorText;  // what the process wrote to stderr
};

/// The ranks of a world as forks of this process, each with the environment
/// that a launcher would set for it.
class ForkedRanks {
 public:
  /// Starts `numRanks` processes that run `body` and exit with its result.
  ForkedRanks(int64_t numRanks, const std::function<int()>& body);

  /// Kills the processes that still run.
  ~ForkedRanks();

  pid_t pid(int64_t rank) const { return pids[rank]; }

  /// Waits for all processes, and returns their ends by rank. Kills those that
  /// still run `limitSeconds` after the start.
  std::vector<RankExit> wait(double limitSeconds);

  /// Waits as wait() does, but not for the process of rank `exception`, which
  /// may be stopped and is left alone. The element of this rank in the result
  /// is empty.
  std::vector<RankExit> waitForOthers(int64_t exception, double limitSeconds);

 private:
  std::vector<pid_t> pids;
  std::vector<bool> hasEnded;
  std::vector<int> errorPipes;
  double startSeconds = 0;
};

/// Whether the process exited with code 0.
bool succeeded(const RankExit& exit);

/// Returns the time of a monotonic clock, in seconds.
double secondsNow();

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_
