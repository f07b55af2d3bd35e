// The control plane of ranks that are processes: they watch each other and end
// together.
//
// The sockets over which the ranks met stay open, in a star around rank 0, the
// hub. A thread of every process watches its sockets:
//
//   a socket that is closed         that rank died: the kernel closes the
//                                   sockets of a process however it ends
//   no message for T seconds        that rank stalled: it was stopped, or its
//                                   host cannot be reached
//   a failure message               that rank gives up, and says why
//   heartbeats that report          that rank hangs: others wait for it, but it
//   no progress                     records no step and no call (Attendance.h)
//
// Rank 0 watches all others; they watch rank 0. The first fault that rank 0
// finds, or that another rank reports to it, is the verdict, which rank 0 sends
// to all ranks. If rank 0 itself dies or stalls, this is the verdict, which
// each other rank finds by itself. When a process gets the verdict, it raises
// its abort flag and prints the verdict. Then it has one second to exit; after
// that the watching thread ends it, whatever its main thread is doing. A
// process whose own fail() or interrupt() has caused the verdict does not print
// it here, and has five seconds, because it has more to print. If the verdict
// is that a rank was told to end, only rank 0 prints it.
//
// A process that was stopped cannot distinguish the silence of others from its
// own. So if the watching thread does not run for longer than T / 4, the rest
// of that time is excluded (Silence.h): a world that is stopped and resumed as
// a whole goes on.

#ifndef RUNTIME_WATCHDOG_CONTROLPLANE_H_
#define RUNTIME_WATCHDOG_CONTROLPLANE_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/bootstrap/Rendezvous.h"
#include "runtime/watchdog/AbortFlag.h"
#include "runtime/watchdog/Attendance.h"
#include "runtime/watchdog/Control.h"
#include "runtime/watchdog/Silence.h"

namespace sbp::watchdog {

/// One process's end of the control plane, which the head of this file
/// describes.
class ControlPlane : public Control {
 public:
  using Clock = std::chrono::steady_clock;

  /// Time limits.
  struct WaitLimits {
    double silenceSeconds = 0;  // silence after which a rank has stalled: T
    // Time for which a rank may keep others waiting (Attendance.h). Only rank
    // 0's value counts.
    double waitSeconds = 0;
  };

  /// Starts the watching thread, which takes over `connections`. `flag` is
  /// raised on a verdict. If this process then does not exit by itself, it is
  /// ended with the exit code `abortedExitCode`.
  ControlPlane(bootstrap::Connections connections, WaitLimits limits,
               int abortedExitCode, std::shared_ptr<AbortFlag> flag);

  /// Stops the watching thread. If the ranks have not finished and there is no
  /// verdict, tells the others that this rank failed.
  ~ControlPlane() override;

  absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) override;
  void fail(const std::string& reason) override;
  void interrupt() override;
  absl::Status finish() override;
  void allowKill(int64_t rank) override;
  std::string describe(int64_t rank) const override {
    return connections.members[rank].describe();
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  // Functions of the watching thread; `mutex` is held, except while it polls.
  void watch();
  bool isDone() const;
  void waitForNews(Lock& lock);
  void serve(int64_t index);
  void handle(int64_t index, const bootstrap::Message& message);
  void beat(Clock::time_point now);
  void findStalled(Clock::time_point now);
  void killStalled(Clock::time_point now);
  void findAbsent(Clock::time_point now);

  // The reason why a world ends early.
  enum class Ending { kFault, kInterruption };
  void giveUp(const std::string& verdict, Ending ending);

  // Functions that need `mutex` to be held.
  void decide(const std::string& verdict, Ending ending = Ending::kFault);
  void contribute(int64_t rank, const std::string& text);
  void publish(const std::string& joined);
  absl::StatusOr<std::vector<std::string>> exchange(char purpose,
                                                    std::string_view text);
  void wakeThread();
  bool isHub() const { return connections.rank == 0; }
  const bootstrap::Member& peer(int64_t channel) const {
    return connections.members[isHub() ? channel : 0];
  }

  bootstrap::Connections connections;
  const Clock::duration timeout;
  const Clock::duration pulse;  // interval of heartbeats
  const int abortedExitCode;
  const std::shared_ptr<AbortFlag> flag;

  std::mutex mutex;
  std::condition_variable changed;
  Silence silence;  // by channel
  Clock::time_point lastBeat;
  Attendance attendance;  // of all ranks; used on the hub
  // On the hub: each rank's text for the all-gather under way. No rank
  // contributes again before it has the result.
  std::vector<std::optional<std::string>> contributions;
  std::optional<std::vector<std::string>> gathered;  // until it is taken
  std::vector<bool> isKillable;                      // by rank
  std::optional<Clock::time_point> killTime;  // when stalled ranks are killed
  std::string ownFailure;        // the verdict that this rank has asked for
  bool isFinished = false;       // all ranks have called finish()
  bool isStopping = false;       // the destructor waits for the thread
  Clock::time_point stopBefore;  // the thread ends by then if isStopping
  // Time by which this process must have exited; set by a verdict.
  std::optional<Clock::time_point> leaveBefore;
  int wakeDescriptor = -1;
  std::thread thread;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_CONTROLPLANE_H_
