#include "tools/emulation/RunOnHosts.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_replace.h"
#include "runtime/file/Show.h"
#include "runtime/status/Status.h"
#include "tools/emulation/FileDescriptor.h"
#include "tools/emulation/Host.h"
#include "tools/emulation/Switch.h"

namespace sbp::emulation {
namespace {

constexpr int kSignalBase = 128;
constexpr int kCommandNotFound = 127;
constexpr unsigned kGraceSeconds = 10;

// Nice value of the commands, so that they lose little time to other processes
// on this machine.
constexpr int kNice = -15;

sigset_t watchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
    sigaddset(&signals, number);
  }
  return signals;
}

// Gives this process the highest priority, so that the computations of the
// hosts do not delay frames. In a real network, hosts do not compete with the
// switch for cores.
void goFirst() {
  sched_param parameters = {};
  parameters.sched_priority = 1;
  sched_setscheduler(0, SCHED_FIFO, &parameters);
  prctl(PR_SET_TIMERSLACK, 1);
}

// Restricts the calling process to the cores of host `number`. If there are
// fewer cores than hosts, all hosts share all cores.
void takeCores(int64_t number, int64_t numHosts) {
  cpu_set_t all, mine;
  if (sched_getaffinity(0, sizeof(all), &all) != 0) return;
  const int64_t numCores = CPU_COUNT(&all);
  if (numCores < numHosts) return;
  CPU_ZERO(&mine);
  int64_t index = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &all)) continue;
    if (index++ * numHosts / numCores == number) CPU_SET(core, &mine);
  }
  sched_setaffinity(0, sizeof(mine), &mine);
}

class HostCommands {
 public:
  explicit HostCommands(const Job& job)
      : job_(job), signals_(watchedSignals()) {}

  absl::Status makeHosts() {
    for (int64_t i = 0; i < job_.numHosts; ++i) {
      SBP_ASSIGN_OR_RETURN(hosts_.emplace_back(), Host::create(i));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int> run() {
    sigprocmask(SIG_BLOCK, &signals_, &originalMask_);
    const FileDescriptor arrivals(
        signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!arrivals.isOpen()) return error("signalfd: {}", strerror(errno));
    for (int64_t i = 0; i < job_.numHosts; ++i) {
      SBP_RETURN_IF_ERROR(start(i));
    }
    goFirst();
    std::vector<int> ports;
    for (const Host& host : hosts_) ports.push_back(host.port());
    SBP_RETURN_IF_ERROR(Switch(ports, job_.link).run(arrivals.get(), [&] {
      handleSignals(arrivals.get());
      return numRunning_ == 0;
    }));
    return exitCode_;
  }

 private:
  absl::Status start(int64_t number) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return error("fork: {}", strerror(errno));
    if (child == 0) become(number, parent);
    setpgid(child, child);  // the child does so too; either may be first
    children_.push_back(child);
    ++numRunning_;
    return absl::OkStatus();
  }

  // Turns the child process into the command of host `number`. Does not return.
  [[noreturn]] void become(int64_t number, pid_t parent) {
    // In a group of its own, the child gets Ctrl-C only once, from its parent.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    if (number > 0 || isatty(STDIN_FILENO)) {
      const FileDescriptor nothing(open("/dev/null", O_RDONLY));
      dup2(nothing.get(), STDIN_FILENO);
    }
    if (absl::Status entered = hosts_[number].enter(); !entered.ok()) {
      file::show(stderr,
                 fmt::format("error: host {}: {}\n", number, textOf(entered)));
      _exit(1);
    }
    takeCores(number, job_.numHosts);
    setpriority(PRIO_PROCESS, 0, kNice);
    sigprocmask(SIG_SETMASK, &originalMask_, nullptr);
    std::vector<std::string> words;
    for (const std::string& word : job_.command) {
      words.push_back(absl::StrReplaceAll(
          word,
          {{"{host}", std::to_string(number)}, {"{address}", addressOf(0)}}));
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    file::show(stderr, fmt::format("error: cannot run {}: {}\n", words[0],
                                   strerror(errno)));
    _exit(kCommandNotFound);
  }

  void handleSignals(int arrivals) {
    signalfd_siginfo signal;
    while (read(arrivals, &signal, sizeof(signal)) == sizeof(signal)) {
      const auto number = static_cast<int>(signal.ssi_signo);
      if (number == SIGCHLD) continue;
      if (number == SIGALRM) {
        tellAll(SIGKILL);
        continue;
      }
      exitCode_ = kSignalBase + number;
      endAll(number);
    }
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      std::replace(children_.begin(), children_.end(), pid, pid_t{0});
      --numRunning_;
      if (status == 0 || exitCode_ != 0) continue;
      exitCode_ = WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status)
                                      : WEXITSTATUS(status);
      endAll(SIGTERM);
    }
  }

  // Sends signal `number` to all commands; those that have not ended after
  // kGraceSeconds are killed.
  void endAll(int number) const {
    tellAll(number);
    alarm(kGraceSeconds);
  }

  void tellAll(int number) const {
    for (pid_t child : children_) {
      if (child != 0) kill(-child, number);
    }
  }

  const Job& job_;
  const sigset_t signals_;
  sigset_t originalMask_;
  std::vector<Host> hosts_;
  std::vector<pid_t> children_;  // by host; 0 if it has ended
  int64_t numRunning_ = 0;
  int exitCode_ = 0;
};

}  // namespace

int runOnHosts(const Job& job) {
  HostCommands commands(job);
  if (absl::Status made = commands.makeHosts(); !made.ok()) {
    file::show(stderr,
               fmt::format("sbp-hosts: hosts cannot be emulated here: {}{}\n",
                           textOf(made), geteuid() == 0 ? "" : " (root may)"));
    return kCannotEmulate;
  }
  const absl::StatusOr<int> code = commands.run();
  if (code.ok()) return *code;
  file::show(stderr, fmt::format("error: {}\n", textOf(code.status())));
  return 1;
}

}  // namespace sbp::emulation
