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

// After this, whoever has told the ranks to end wants to know why they have
// not.
constexpr std::chrono::seconds kSilentWait(2);

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  file::show(stderr,
             fmt::format("sbprun: {}\n",
                         fmt::format(format, std::forward<Args>(args)...)));
}

// The signals that are passed on, and SIGCHLD. They stay blocked and are waited
// for, so nothing happens between two instructions. A blocked signal comes even
// if it is ignored, so SIGHUP is none of them then (nohup).
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

// How a rank ended, from waitpid's status.
struct End {
  int status = 0;

  bool isFailure() const { return status != 0; }
  int exitCode() const {
    return WIFSIGNALED(status) ? program::exitCodeOfSignal(WTERMSIG(status))
                               : WEXITSTATUS(status);
  }
  // Whether it ended only because another one did, and says so.
  bool isConsequence() const {
    return WIFEXITED(status) &&
           WEXITSTATUS(status) == communication::kAbortedExitCode;
  }
  // Whether it ended because it was told to, in order or by the signal.
  bool isToldToEnd() const {
    return program::isInterruptedExitCode(exitCode()) ||
           (WIFSIGNALED(status) && endsPrograms(WTERMSIG(status)));
  }
  // How much it says of why the job ended: a rank that was told to end, and
  // could not do so in order, has met with something besides.
  int weight() const { return isConsequence() ? 0 : isToldToEnd() ? 1 : 2; }
  bool isFault() const { return weight() == 2; }
  // Whether a message of the rank itself, or of another one, tells why.
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
    // Other hosts have launchers of their own, which could not know it.
    if (options.numNodes == 1) environment.secret = bootstrap::drawSecret();
    sigprocmask(SIG_BLOCK, &signals, &originalMask);
    // Ranks die with this process; they shall not for want of its reader.
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
    // What a rank had started may have outlived it.
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
      // The shell and the kernel both tell of a terminal that is closed.
      if (interruption && number == SIGHUP) return;
      if (interruption) return killAll();  // asked twice
      // It may take a step, and saving, until they end.
      interruption = number;
      patienceEnd = Clock::now() + kSilentWait;
    }
    signalAll(number);
  }

  // A stop for good measure: SIGTSTP may be ignored. This process stops like
  // any other then, and goes on, with its ranks, when its shell says so.
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

  // How ranks end from now on says nothing.
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

  // Of the failures that say most of why, the first is the cause.
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

  // While the job ends: a rank that is stopped cannot end by itself.
  void killStopped() {
    for (const RankProcess& process : processes) {
      if (process.isStopped()) process.signal(SIGKILL);
    }
  }

  void sayWaiting() {
    patienceEnd.reset();
    say("waits for the ranks to end; told once more, it kills them");
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
