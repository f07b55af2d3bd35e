#include "runtime/file/MappedFile.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::file {
namespace {

TEST(MappedFile, WhatIsNoFileIsRefusedAtOnce) {
  const std::string pipe = testing::TempDir() + "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, testing::TempDir()}) {
    EXPECT_EQ(MappedFile::open(path).status().message(),
              "cannot read " + path + ": it is no regular file");
  }
}

/// Writes a file of `size` bytes, all '?', and returns its path.
std::string newFile(const std::string& name, size_t size) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << std::string(size, '?');
  return path;
}

TEST(MappedFile, ThatBecomesShorterIsReadToItsEndAndSaysSo) {
  const size_t size = 100'000;
  // Truncates to nothing, to whole pages, or within the last page.
  for (const size_t left : {size_t{0}, size_t{8192}, size - 1}) {
    const std::string path = newFile("shorter", size);
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file.ok() && file->checkWhole().ok());
    ASSERT_EQ(truncate(path.c_str(), left), 0);
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i)
      readers.emplace_back([&] {
        const std::string_view bytes = file->bytes();
        EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '?'), left);
      });
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(file->checkWhole().message(),
              "cannot read " + path +
                  ": it had 100000 bytes, and became "
                  "shorter");
  }
}

TEST(MappedFile, StaysWhatItWasWhereAnotherTakesItsName) {
  const std::string path = newFile("renamed", 5000);
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(rename(newFile("other", 10).c_str(), path.c_str()), 0);
  EXPECT_EQ(file->bytes(), std::string(5000, '?'));
  EXPECT_TRUE(file->checkWhole().ok());
}

TEST(MappedFileDeathTest, OtherBusErrorsEndTheProcess) {
  const std::string path = newFile("mapped", 5000);
  const auto file = MappedFile::open(path);
  EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace sbp::file
