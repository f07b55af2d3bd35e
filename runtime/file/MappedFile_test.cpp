#include "runtime/file/MappedFile.h"

#include <sys/stat.h>

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

}  // namespace
}  // namespace sbp::file
