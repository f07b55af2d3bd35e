#include "runtime/checkpoint/Series.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"

namespace sbp::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string newFolder(const std::string& name) {
  const std::string path = testing::TempDir() + name;
  mkdir(path.c_str(), 0777);
  return path;
}

std::set<std::string> filesIn(const std::string& folder) {
  std::set<std::string> names;
  DIR* dir = opendir(folder.c_str());
  while (const dirent* entry = readdir(dir))
    if (entry->d_name[0] != '.') names.insert(entry->d_name);
  closedir(dir);
  return names;
}

std::string contents(const std::string& path) {
  const auto file = file::MappedFile::open(path);
  return file.ok() ? std::string(file->bytes()) : "cannot be read";
}

/// Writes the file of `step`, with the number of the step as its content.
void save(Series& series, int64_t step) {
  auto file = file::OutputFile::create(series.pathOf(step));
  ASSERT_TRUE(file.ok() && file->write(std::to_string(step)).ok() &&
              file->commit().ok());
  ASSERT_TRUE(series.noteWritten(step).ok());
}

TEST(Series, NumbersStandBeforeTheExtension) {
  EXPECT_EQ(Series("a.b/gpt.safetensors", 1, 0).pathOf(7),
            "a.b/gpt-000007.safetensors");
  EXPECT_EQ(Series("a.b/gpt", 1, 0).pathOf(1234567), "a.b/gpt-1234567");
  EXPECT_EQ(Series(".gpt", 1, 0).pathOf(1), ".gpt-000001");
}

TEST(Series, TheNewestAreKeptAndTheNameIsThatOfTheNewest) {
  const std::string folder = newFolder("newest");
  Series series(folder + "/m.st", 5, 2);
  EXPECT_TRUE(series.isDue(10));
  EXPECT_FALSE(series.isDue(11));
  for (int64_t step : {5, 10, 15}) {
    save(series, step);
    EXPECT_EQ(contents(folder + "/m.st"), std::to_string(step));
  }
  EXPECT_THAT(filesIn(folder),
              ElementsAre("m-000010.st", "m-000015.st", "m.st"));
}

TEST(Series, WithoutALimitAllAreKeptAndOthersNeverGo) {
  const std::string folder = newFolder("all");
  Series before(folder + "/m.st", 5, 0);
  for (int64_t step : {5, 10, 15}) save(before, step);
  Series series(folder + "/m.st", 5, 1);
  for (int64_t step : {20, 25}) save(series, step);
  EXPECT_THAT(filesIn(folder),
              ElementsAre("m-000005.st", "m-000010.st", "m-000015.st",
                          "m-000025.st", "m.st"));
}

TEST(Series, RemovesWhatTheDeadHaveLeftOfItsFiles) {
  // Also for a series that saves only at the end, when the killed run did not.
  for (int64_t every : {5, 0}) {
    const std::string folder = newFolder(fmt::format("dead-{}", every));
    for (const char* name : {"/m.st", "/m-000005.st", "/m-5a.st"}) {
      const pid_t child = fork();
      if (child == 0) {
        auto file = file::OutputFile::create(folder + name);
        raise(SIGKILL);
      }
      waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(filesIn(folder).size(), 3u);
    EXPECT_TRUE(Series(folder + "/m.st", every, 0).check(0, 10, 100).ok());
    ASSERT_EQ(filesIn(folder).size(), 1u);
    EXPECT_THAT(*filesIn(folder).begin(), HasSubstr("m-5a.st."));
  }
}

TEST(Series, NeedsRoomForAllThatIsThereAtOnce) {
  const std::string path = newFolder("room") + "/m.st";
  const auto refusal = [&](int64_t every, int64_t keep, int64_t lastStep) {
    return std::string(Series(path, every, keep)
                           .check(0, lastStep, int64_t{1} << 61)
                           .message());
  };
  EXPECT_THAT(refusal(0, 0, 100), HasSubstr("a checkpoint of 2305843.0TB"));
  EXPECT_THAT(refusal(10, 0, 100), HasSubstr(": 10 checkpoints of"));
  EXPECT_THAT(refusal(10, 0, 101), HasSubstr(": 11 checkpoints of"));
  EXPECT_THAT(refusal(10, 3, 100), HasSubstr(": 4 checkpoints of"));
  EXPECT_THAT(refusal(10, 3, 30), HasSubstr(": 3 checkpoints of"));
}

}  // namespace
}  // namespace sbp::checkpoint
