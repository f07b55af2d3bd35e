#include "runtime/file/ProcessSetup.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <string>

#include "gtest/gtest.h"

namespace sbp::file {
namespace {

/// Returns the first descriptor that open() returns in a process that was
/// started without the descriptors `closed` and has called setUpProcess(); -1
/// if one of `closed` is still missing.
int firstDescriptorWithout(std::initializer_list<int> closed) {
  const pid_t child = fork();
  if (child == 0) {
    for (int number : closed) close(number);
    setUpProcess();
    for (int number : {0, 1, 2})
      if (fcntl(number, F_GETFD) < 0) _exit(255);
    _exit(open("/dev/null", O_RDONLY));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
}

TEST(ProcessSetup, OpensTheDescriptorsThatAreClosed) {
  const int usual = firstDescriptorWithout({});
  EXPECT_GT(usual, 2);
  EXPECT_EQ(firstDescriptorWithout({0}), usual);
  EXPECT_EQ(firstDescriptorWithout({1}), usual);
  EXPECT_EQ(firstDescriptorWithout({0, 2}), usual);
  EXPECT_EQ(firstDescriptorWithout({0, 1, 2}), usual);
}

TEST(ProcessSetup, WritesBeyondTheLimitOfFilesFail) {
  const std::string path = testing::TempDir() + "limited";
  const pid_t child = fork();
  if (child == 0) {
    setUpProcess();
    const rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    const char page[4096] = {};
    const bool isWritten = write(file, page, sizeof page) == sizeof page;
    const bool isRefused = write(file, page, 1) < 0 && errno == EFBIG;
    _exit(isWritten && isRefused ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace sbp::file
