#include "runtime/launch/RankProcess.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "runtime/bootstrap/Environment.h"

namespace sbp::launch {
namespace {

void setVariable(const char* name, const std::string& value) {
  setenv(name, value.c_str(), /*overwrite=*/1);
}

void setEnvironment(const RankEnvironment& environment) {
  setVariable("RANK", std::to_string(environment.rank));
  setVariable("WORLD_SIZE", std::to_string(environment.worldSize));
  setVariable("LOCAL_RANK", std::to_string(environment.localRank));
  setVariable("LOCAL_WORLD_SIZE", std::to_string(environment.localSize));
  setVariable("MASTER_ADDR", environment.masterAddress);
  setVariable("MASTER_PORT", std::to_string(environment.masterPort));
  // If torchrun has started this launcher, it has set these variables, by which
  // ranks would take the port for one at which torchrun listens.
  unsetenv("TORCHELASTIC_RUN_ID");
  unsetenv("TORCHELASTIC_USE_AGENT_STORE");
  if (!environment.secret.empty()) {
    setVariable(bootstrap::kSecretVariable, environment.secret);
  }
}

// Runs in the child process and replaces it by the command. Returns only on
// failure, with errno set.
void become(const std::vector<std::string>& command,
            const RankEnvironment& environment, const sigset_t& signalMask,
            pid_t launcher) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The launcher had ended before prctl() was called.
  if (getppid() != launcher) _exit(1);
  if (environment.rank != 0 || isatty(STDIN_FILENO)) {
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  setEnvironment(environment);
  // A shell lets background processes ignore these signals, but a signal sent
  // to the launcher is meant for the ranks.
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  for (int number : {SIGPIPE, SIGXFSZ}) {
    signal(number, SIG_DFL);  // ignored by the launcher only
  }
  sigprocmask(SIG_SETMASK, &signalMask, nullptr);
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
}

}  // namespace

std::string RankProcess::start(const std::vector<std::string>& command,
                               const RankEnvironment& environment,
                               const sigset_t& signalMask) {
  rankNumber = environment.rank;
  // The pipe is closed when the new program starts. If the program cannot be
  // started, the child writes an error number into the pipe.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::strerror(errno);
  pid_t launcher = getpid();
  processId = fork();
  if (processId < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return std::strerror(error);
  }
  if (processId == 0) {
    become(command, environment, signalMask, launcher);
    int error = errno;
    ssize_t ignored = write(ends[1], &error, sizeof(error));
    (void)ignored;
    _exit(1);
  }
  close(ends[1]);
  int error = 0;
  bool hasFailed = read(ends[0], &error, sizeof(error)) == sizeof(error);
  close(ends[0]);
  if (hasFailed) {
    waitpid(processId, nullptr, 0);
    return std::strerror(error);
  }
  isAlive = true;
  return "";
}

bool RankProcess::isStopped() const {
  siginfo_t info = {};
  return isAlive &&
         waitid(P_PID, processId, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == processId;
}

}  // namespace sbp::launch
