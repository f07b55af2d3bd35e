#include "runtime/launch/Launcher.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>

#include "fmt/format.h"
#include "runtime/bootstrap/Key.h"
#include "runtime/communication/Communicator.h"
#include "runtime/file/Show.h"
#include "runtime/launch/PortReservation.h"
#include "runtime/launch/RankProcess.h"
#include "runtime/main/ExitCode.h"

namespace sbp::launch {
namespace {

using Clock = std::chrono::steady_clock;

// Time from the first signal to end until the launcher prints that it still
// waits for the ranks.
constexpr std::chrono::seconds kSilentWait(2);

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  file::show(stderr,
             fmt::format("sbprun: {}\n",
                         fmt::format(format, std::forward<Args>(args)...)));
}

// Returns the signals that are passed on, and SIGCHLD. They stay blocked and
// are received by sigtimedwait, so they never interrupt the launcher. A blocked
// signal is received even if it is ignored, so SIGHUP is left out if it is
// ignored (nohup).
sigset_t watchedSignals() {
  sigset_t set;
  sigemptyset(&set);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  for (int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
                     SIGUSR2, SIGTSTP, SIGCONT}) {
    const bool isIgnored = number == SIGHUP && hangup.sa_handler == SIG_IGN;
    if (!isIgnored) sigaddset(&set, number);
  }
  return set;
}

bool endsPrograms(int signalNumber) {
  return signalNumber == SIGINT || signalNumber == SIGTERM ||
         signalNumber == SIGHUP || signalNumber == SIGQUIT;
}

// The end of a rank, as waitpid returns it.
struct End {
  int status = 0;

  bool isFailure() const { return status != 0; }
  int exitCode() const {
    return WIFSIGNALED(status) ? program::exitCodeOfSignal(WTERMSIG(status))
                               : WEXITSTATUS(status);
  }
  // Whether the rank ended only because another rank did, and has reported
  // this.
  bool isConsequence() const {
    return WIFEXITED(status) &&
           WEXITSTATUS(status) == communication::kAbortedExitCode;
  }
  // Whether the rank ended because of a signal to end, in an orderly way or at
  // once.
  bool isToldToEnd() const {
    return program::isInterruptedExitCode(exitCode()) ||
           (WIFSIGNALED(status) && endsPrograms(WTERMSIG(status)));
  }
  // Relevance of this end as the cause of the end of the job. A rank that got a
  // signal to end, but exited with another code, has met an error.
  int weight() const { return isConsequence() ? 0 : isToldToEnd() ? 1 : 2; }
  bool isFault() const { return weight() == 2; }
  // Whether a message of this rank, or of another one, explains the end.
  bool isExplained() const {
    if (!WIFEXITED(status)) return false;
    const int code = WEXITSTATUS(status);
    return isConsequence() || code == program::kErrorExitCode ||
           program::isInterruptedExitCode(code);
  }
  std::string describe() const {
    if (WIFSIGNALED(status)) {
      return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    }
    return fmt::format("exited with code {}", WEXITSTATUS(status));
  }
};

class Launcher {
 public:
  explicit Launcher(const LaunchOptions& options)
      : options(options), signals(watchedSignals()) {}

  int run() {
    PortReservation port;
    RankEnvironment environment;
    environment.worldSize = options.numRanks * options.numNodes;
    environment.localSize = options.numRanks;
    environment.masterAddress = options.masterAddress;
    environment.masterPort =
        options.masterPort ? options.masterPort : port.reserve();
    // Several hosts have a launcher each, and these could not share the secret.
    if (options.numNodes == 1) environment.secret = bootstrap::drawSecret();
    sigprocmask(SIG_BLOCK, &signals, &originalMask);
    // A closed stderr must not end this process, because its ranks would die
    // with it.
    signal(SIGPIPE, SIG_IGN);
    for (int64_t i = 0; i < options.numRanks; ++i) {
      environment.localRank = i;
      environment.rank = options.nodeRank * options.numRanks + i;
      RankProcess process;
      std::string problem =
          process.start(options.command, environment, originalMask);
      if (!problem.empty()) {
        file::show(stderr, fmt::format("error: cannot run {}: {}\n",
                                       options.command[0], problem));
        killAll();
        return program::kErrorExitCode;
      }
      processes.push_back(process);
    }
    while (numRunning() > 0) {
      waitForSignal();
      reap();
      if (deadline) killStopped();
      if (deadline && Clock::now() > *deadline) killLate();
      if (patienceEnd && Clock::now() > *patienceEnd) sayWaiting();
    }
    // Kills processes that ranks have started and that have outlived them.
    for (const RankProcess& process : processes) process.signal(SIGKILL);
    return report();
  }

 private:
  int64_t numRunning() const {
    return std::count_if(
        processes.begin(), processes.end(),
        [](const RankProcess& process) { return process.isRunning(); });
  }

  void waitForSignal() {
    timespec moment = {0, 100'000'000};
    int number = sigtimedwait(&signals, nullptr, &moment);
    if (number < 0 || number == SIGCHLD) return;
    if (number == SIGTSTP) return stopAll();
    if (endsPrograms(number)) {
      // Both the shell and the kernel send SIGHUP when a terminal is closed.
      if (interruption && number == SIGHUP) return;
      if (interruption) return killAll();  // second signal
      // The ranks may still finish a step and save.
      interruption = number;
      patienceEnd = Clock::now() + kSilentWait;
    }
    signalAll(number);
  }

  // Stops the ranks with SIGSTOP, because they may ignore SIGTSTP, then this
  // process. When its shell resumes it, it resumes the ranks.
  void stopAll() {
    signalAll(SIGSTOP);
    raise(SIGSTOP);
    signalAll(SIGCONT);
  }

  void signalAll(int number) {
    for (const RankProcess& process : processes) {
      if (process.isRunning()) process.signal(number);
    }
  }

  // Kills all ranks. Their exit status from now on is not a cause.
  void killAll() {
    isKilling = true;
    signalAll(SIGKILL);
  }

  void reap() {
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      for (RankProcess& process : processes) {
        if (process.pid() != pid) continue;
        process.markEnded();
        if (status != 0) noteFailure(process, End{status});
      }
    }
  }

  // Notes a failed rank. The cause is the first failure with the greatest
  // weight().
  void noteFailure(const RankProcess& process, End end) {
    if (isKilling) return;
    startGrace();
    if (!cause || end.weight() > cause->end.weight()) {
      cause = Cause{process.rank(), process.pid(), end};
    }
  }

  void startGrace() {
    if (deadline) return;
    deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(options.graceSeconds));
  }

  // Kills stopped ranks while the job ends, because they cannot end by
  // themselves.
  void killStopped() {
    for (const RankProcess& process : processes) {
      if (process.isStopped()) process.signal(SIGKILL);
    }
  }

  void sayWaiting() {
    patienceEnd.reset();
    say("waiting for the ranks to end; a second signal kills them");
  }

  void killLate() {
    if (isKilling) return;
    for (const RankProcess& process : processes) {
      if (!process.isRunning()) continue;
      say("rank {} (pid {}) did not end within {:g} s: killed", process.rank(),
          process.pid(), options.graceSeconds);
    }
    killAll();
  }

  int report() const {
    const bool isExplained = cause && cause->end.isExplained();
    if (interruption && !(cause && cause->end.isFault())) {
      if (!isExplained) {
        say("ended by signal {} ({})", *interruption, strsignal(*interruption));
      }
      return program::exitCodeOfSignal(*interruption);
    }
    if (!cause) return isKilling ? program::exitCodeOfSignal(SIGKILL) : 0;
    if (!isExplained) {
      say("rank {} (pid {}) {}", cause->rank, cause->pid,
          cause->end.describe());
    }
    return cause->end.exitCode();
  }

  struct Cause {
    int64_t rank;
    pid_t pid;
    End end;
  };

  const LaunchOptions& options;
  const sigset_t signals;
  sigset_t originalMask;
  std::vector<RankProcess> processes;
  std::optional<Cause> cause;
  std::optional<int> interruption;
  std::optional<Clock::time_point> deadline;
  std::optional<Clock::time_point> patienceEnd;
  bool isKilling = false;
};

}  // namespace

int launch(const LaunchOptions& options) { return Launcher(options).run(); }

}  // namespace sbp::launch
