// The control plane: ranks feel each other's pulse and end together.
//
// The sockets over which the ranks met stay open, in a star around rank 0. A
// thread of every process watches its sockets:
//
//   a socket that ends              that rank died: the kernel closes the
//                                   sockets of a process however it goes
//   no message for T seconds        that rank stalled: it was stopped, or its
//                                   host or the way there is gone
//   a failure message               that rank gives up, and says why
//   heartbeats that report          that rank hangs: others wait for it, and it
//   no progress                     neither comes nor gets on (Attendance.h)
//
// Rank 0 sees the others, the others see rank 0. What rank 0 finds, or is told,
// first is the verdict; it sends it to all. A verdict raises the abort flag, is
// printed, and gives the process one second to leave before it is ended: its
// main thread may be anywhere.
//
// Clocks. A process that was stopped cannot tell the others' silence from its
// own. So its clocks stand still while its thread sleeps (Silence.h): a world
// that is stopped and resumed as a whole lives on.

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

class ControlPlane : public Control {
 public:
  using Clock = std::chrono::steady_clock;

  /// How long to put up with what.
  struct Patience {
    double silenceSeconds = 0;  // until a rank has stalled: T
    double waitSeconds = 0;     // for a rank that does not come
  };

  /// Starts to watch. `flag` is raised on a verdict; `abortedExitCode` is for a
  /// process that does not leave by itself then.
  ControlPlane(bootstrap::Meeting meeting, Patience patience,
               int abortedExitCode, std::shared_ptr<AbortFlag> flag);

  /// Stops to watch, having told the others that this rank failed if finish()
  /// was not reached.
  ~ControlPlane() override;

  absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) override;
  void fail(const std::string& reason) override;
  void interrupt() override;
  absl::Status finish() override;
  void allowKill(int64_t rank) override;
  std::string describe(int64_t rank) const override {
    return meeting.members[rank].describe();
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  // The thread, with `mutex` held except while it polls.
  void watch();
  bool isDone() const;
  void waitForNews(Lock& lock);
  void serve(int64_t channel);
  void handle(int64_t channel, const bootstrap::Message& message);
  void beat(Clock::time_point now);
  void findStalled(Clock::time_point now);
  void killStalled(Clock::time_point now);
  void findAbsent(Clock::time_point now);

  // Why a world ends before its time.
  enum class Ending { kFault, kInterruption };
  void giveUp(const std::string& verdict, Ending ending);

  // With `mutex` held.
  void decide(const std::string& verdict, Ending ending = Ending::kFault);
  void contribute(int64_t rank, const std::string& text);
  void publish(const std::string& joined);
  absl::StatusOr<std::vector<std::string>> exchange(char purpose,
                                                    std::string_view text);
  void wakeThread();
  bool isHub() const { return meeting.rank == 0; }
  const bootstrap::Member& peer(int64_t channel) const {
    return meeting.members[isHub() ? channel : 0];
  }

  bootstrap::Meeting meeting;
  const Clock::duration timeout;
  const Clock::duration pulse;  // between heartbeats
  const int abortedExitCode;
  const std::shared_ptr<AbortFlag> flag;

  std::mutex mutex;
  std::condition_variable changed;
  Silence silence;  // by channel
  Clock::time_point lastBeat;
  Attendance attendance;  // of all ranks, on the hub
  // Of the hub: each rank's text for the all-gather under way. No rank gives a
  // second one before it has the result of the first.
  std::vector<std::optional<std::string>> contributions;
  std::optional<std::vector<std::string>> gathered;  // not taken yet
  std::vector<bool> isKillable;                      // by rank
  std::optional<Clock::time_point> killTime;  // of those that have stalled
  std::string ownFailure;   // the verdict that this rank asked for
  bool isFinished = false;  // the world has ended in peace
  bool isStopping = false;  // the destructor waits for the thread
  Clock::time_point stopBefore;
  std::optional<Clock::time_point> leaveBefore;  // after a verdict
  int wakeDescriptor = -1;
  std::thread thread;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_CONTROLPLANE_H_
