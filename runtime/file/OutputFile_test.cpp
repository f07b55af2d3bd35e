#include "runtime/file/OutputFile.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/file/MappedFile.h"

namespace sbp::file {
namespace {

using ::testing::HasSubstr;

std::string newFolder(const std::string& name) {
  const std::string path = testing::TempDir() + name;
  mkdir(path.c_str(), 0777);
  return path;
}

int numFilesIn(const std::string& folder) {
  int count = 0;
  DIR* dir = opendir(folder.c_str());
  while (const dirent* entry = readdir(dir))
    if (entry->d_name[0] != '.') ++count;
  closedir(dir);
  return count;
}

std::string contents(const std::string& path) {
  const auto file = MappedFile::open(path);
  return file.ok() ? std::string(file->bytes()) : "cannot be read";
}

TEST(OutputFile, AppearsWithItsLastByteAndReplacesWhatWasThere) {
  const std::string folder = newFolder("appears");
  const std::string path = folder + "/out";
  for (const char* text : {"first", "second"}) {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    ASSERT_TRUE(file->write(text).ok());
    EXPECT_NE(contents(path), text);
    ASSERT_TRUE(file->commit().ok());
    EXPECT_EQ(contents(path), text);
  }
  EXPECT_EQ(numFilesIn(folder), 1);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const std::string folder = newFolder("nothing");
  {
    auto file = OutputFile::create(folder + "/out");
    ASSERT_TRUE(file.ok() && file->write("half").ok());
  }
  EXPECT_TRUE(checkWritable(folder + "/out").ok());
  EXPECT_EQ(numFilesIn(folder), 0);
}

/// Begins to write `path` in a process that is killed before it is done.
void writeAndDie(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    auto file = OutputFile::create(path);
    if (file.ok()) (void)file->write("half");
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
}

TEST(OutputFile, LeftoversOfTheDeadAreRemovedAndNoOthers) {
  const std::string folder = newFolder("leftovers");
  writeAndDie(folder + "/out");
  writeAndDie(folder + "/other");
  auto living = OutputFile::create(folder + "/out");
  auto kept = OutputFile::create(folder + "/out.backup");
  ASSERT_TRUE(living.ok() && kept.ok() && kept->commit().ok());
  EXPECT_EQ(numFilesIn(folder), 4);
  EXPECT_TRUE(checkWritable(folder + "/out").ok());
  EXPECT_EQ(numFilesIn(folder), 3);
  ASSERT_TRUE(living->write("whole").ok() && living->commit().ok());
  EXPECT_EQ(contents(folder + "/out"), "whole");
}

TEST(OutputFile, ASecondNameReplacesWhatHadIt) {
  const std::string folder = newFolder("names");
  for (const char* name : {"/1", "/2", "/alias"}) {
    auto file = OutputFile::create(folder + name);
    ASSERT_TRUE(file.ok() && file->write(name).ok() && file->commit().ok());
  }
  for (const char* name : {"/1", "/2", "/2"}) {
    ASSERT_TRUE(linkAs(folder + name, folder + "/alias").ok());
    EXPECT_EQ(contents(folder + "/alias"), name);
  }
  EXPECT_EQ(numFilesIn(folder), 3);
  EXPECT_THAT(std::string(linkAs(folder + "/3", folder + "/alias").message()),
              HasSubstr("No such file"));
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  EXPECT_EQ(std::string(checkWritable("/no/such/folder/x").message()),
            "cannot write /no/such/folder/x: No such file or directory");
  EXPECT_THAT(std::string(checkWritable(testing::TempDir()).message()),
              HasSubstr("it is a folder"));
  EXPECT_THAT(std::string(checkWritable("/dev/null").message()),
              HasSubstr("it is no regular file"));
}

TEST(MappedFile, SaysWhyItCannotBeRead) {
  EXPECT_EQ(std::string(MappedFile::open("/no/such").status().message()),
            "cannot read /no/such: No such file or directory");
  EXPECT_THAT(
      std::string(MappedFile::open(testing::TempDir()).status().message()),
      HasSubstr("no regular file"));
}

TEST(MappedFile, AnEmptyFileIsAnEmptyView) {
  const std::string path = testing::TempDir() + "empty";
  auto file = OutputFile::create(path);
  ASSERT_TRUE(file.ok() && file->commit().ok());
  EXPECT_EQ(contents(path), "");
}

}  // namespace
}  // namespace sbp::file
