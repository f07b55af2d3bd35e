// Ranks as processes, within a test.

#ifndef RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_
#define RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sbp::communication {

/// How a process of a test ended.
struct RankExit {
  int status = 0;         // of waitpid
  double seconds = 0;     // since the ranks were started
  std::string errorText;  // what it wrote to stderr
};

/// Processes of this one's image, one per rank, in the environment that a
/// launcher would give them.
class ForkedRanks {
 public:
  /// Starts `numRanks` processes that run `body` and end with its result.
  ForkedRanks(int64_t numRanks, const std::function<int()>& body);

  /// Kills what is left.
  ~ForkedRanks();

  pid_t pid(int64_t rank) const { return pids[rank]; }

  /// Waits for all. After `limitSeconds` since the start it kills the rest,
  /// whose status then says so.
  std::vector<RankExit> wait(double limitSeconds);

  /// The same, but `exception`, which may be stopped, is left as it is.
  std::vector<RankExit> waitForOthers(int64_t exception, double limitSeconds);

 private:
  std::vector<pid_t> pids;
  std::vector<bool> hasEnded;
  std::vector<int> errorPipes;
  double startSeconds = 0;
};

/// True if the process exited with code 0.
bool succeeded(const RankExit& exit);

/// Seconds of a clock that only goes forward.
double secondsNow();

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_FORKEDRANKS_H_
