#include "runtime/communication/testing/ForkedRanks.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "runtime/bootstrap/testing/ProcessToken.h"

namespace sbp::communication {
namespace {

void setVariable(const char* name, const std::string& value) {
  setenv(name, value.c_str(), /*overwrite=*/1);
}

// Sets the variables of mpirun on one host, so that ranks meet without a port.
void setEnvironment(int64_t rank, int64_t numRanks, const std::string& job) {
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR"}) {
    unsetenv(name);
  }
  setVariable("OMPI_COMM_WORLD_RANK", std::to_string(rank));
  setVariable("OMPI_COMM_WORLD_SIZE", std::to_string(numRanks));
  setVariable("OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(rank));
  setVariable("OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(numRanks));
  setVariable("PMIX_NAMESPACE", job);
}

void drain(int fd, std::string& text) {
  char block[4096];
  for (ssize_t n; (n = read(fd, block, sizeof(block))) > 0;) {
    text.append(block, n);
  }
}

}  // namespace

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool succeeded(const RankExit& exit) {
  return WIFEXITED(exit.status) && WEXITSTATUS(exit.status) == 0;
}

ForkedRanks::ForkedRanks(int64_t numRanks, const std::function<int()>& body)
    : hasEnded(numRanks, false), startSeconds(secondsNow()) {
  static int numJobs = 0;
  const std::string job = "test-" + std::to_string(bootstrap::processToken()) +
                          "-" + std::to_string(numJobs++);
  std::fflush(nullptr);
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
    pid_t pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(ends[1], STDERR_FILENO);
      setEnvironment(rank, numRanks, job);
      std::exit(body());
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pids.push_back(pid);
    errorPipes.push_back(ends[0]);
  }
}

ForkedRanks::~ForkedRanks() {
  for (size_t rank = 0; rank < pids.size(); ++rank) {
    if (hasEnded[rank]) continue;
    kill(pids[rank], SIGKILL);
    waitpid(pids[rank], nullptr, 0);
  }
  for (int fd : errorPipes) close(fd);
}

std::vector<RankExit> ForkedRanks::wait(double limitSeconds) {
  return waitForOthers(-1, limitSeconds);
}

std::vector<RankExit> ForkedRanks::waitForOthers(int64_t exception,
                                                 double limitSeconds) {
  std::vector<RankExit> exits(pids.size());
  const int64_t numRanks = pids.size();
  int64_t numLeft = exception < 0 ? numRanks : numRanks - 1;
  while (numLeft > 0) {
    if (secondsNow() - startSeconds > limitSeconds) {
      for (int64_t rank = 0; rank < numRanks; ++rank) {
        if (rank != exception && !hasEnded[rank]) kill(pids[rank], SIGKILL);
      }
    }
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      if (rank == exception) continue;
      drain(errorPipes[rank], exits[rank].errorText);
      if (hasEnded[rank]) continue;
      if (waitpid(pids[rank], &exits[rank].status, WNOHANG) == 0) continue;
      exits[rank].seconds = secondsNow() - startSeconds;
      drain(errorPipes[rank], exits[rank].errorText);
      hasEnded[rank] = true;
      --numLeft;
    }
    usleep(2000);
  }
  return exits;
}

}  // namespace sbp::communication
