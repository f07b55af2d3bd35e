#include "runtime/file/FileLock.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::file {
namespace {

using ::testing::HasSubstr;

bool exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

TEST(FileLock, IsOneProcesssAndSaysWhose) {
  const std::string path = testing::TempDir() + "locked";
  {
    const auto lock = FileLock::take(path);
    ASSERT_TRUE(lock.ok()) << lock.status();
    EXPECT_THAT(std::string(FileLock::take(path).status().message()),
                HasSubstr(fmt::format("another run writes there (host ")));
    EXPECT_THAT(std::string(FileLock::take(path).status().message()),
                HasSubstr(fmt::format("pid {})", getpid())));
    EXPECT_TRUE(FileLock::take(path + "2").ok());
  }
  EXPECT_FALSE(exists(path + ".lock"));
  EXPECT_TRUE(FileLock::take(path).ok());
}

TEST(FileLock, OfOneThatWasKilledIsFree) {
  const std::string path = testing::TempDir() + "killed";
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::take(path);
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(exists(path + ".lock"));
  EXPECT_TRUE(FileLock::take(path).ok());
}

TEST(FileLock, SaysWhyItCannotBeMade) {
  EXPECT_THAT(std::string(FileLock::take("/no/such/x").status().message()),
              HasSubstr("cannot write /no/such/x.lock: No such file"));
}

}  // namespace
}  // namespace sbp::file
