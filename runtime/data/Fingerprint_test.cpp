#include "runtime/data/Fingerprint.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::data {
namespace {

using ::testing::HasSubstr;

std::string writeFile(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  std::fwrite(content.data(), 1, content.size(), file);
  std::fclose(file);
  return path;
}

std::string of(const std::string& path) {
  const auto text = fingerprint(path);
  return text.ok() ? *text : std::string(text.status().message());
}

/// Returns the fingerprint of a sparse file of zeros with `content` at
/// `offset`.
std::string ofSparseFile(int64_t fileBytes, int64_t offset,
                         const std::string& content) {
  const std::string path = writeFile("sparse", "");
  EXPECT_EQ(truncate(path.c_str(), fileBytes), 0);
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  std::fseek(file, offset, SEEK_SET);
  std::fwrite(content.data(), 1, content.size(), file);
  std::fclose(file);
  return of(path);
}

std::string ofZeros(int64_t fileBytes) {
  return ofSparseFile(fileBytes, 0, "");
}

TEST(Fingerprint, IsTheLengthAndTheBlake2bOfTheContent) {
  // printf abc | b2sum -l 128
  EXPECT_EQ(of(writeFile("abc", "abc")), "3-cf4ab791c62b8d2b2109c90275287816");
  EXPECT_EQ(of(writeFile("empty", "")), "0-cae66941d9efbd404e4d88758ea67670");
}

TEST(Fingerprint, IsOfTheContentAlone) {
  EXPECT_EQ(of(writeFile("one", "same")), of(writeFile("other", "same")));
  EXPECT_NE(of(writeFile("one", "same")), of(writeFile("other", "Same")));
}

TEST(Fingerprint, SeesEveryByteOfAFileThatIsReadWhole) {
  constexpr int64_t kBytes = int64_t{32} << 20;
  const std::string zeros = ofZeros(kBytes);
  for (int64_t offset : {int64_t{0}, kBlockBytes + 7, kBytes / 3, kBytes - 1})
    EXPECT_NE(ofSparseFile(kBytes, offset, "1"), zeros);
  EXPECT_NE(ofSparseFile(kWholeBytes, kWholeBytes / 3, "1"),
            ofZeros(kWholeBytes));
}

TEST(Fingerprint, SeesBothEndsAndTheLengthOfALongFile) {
  const int64_t length = (int64_t{1} << 36) + 12345;
  const std::string zeros = ofZeros(length);
  EXPECT_NE(ofSparseFile(length, 0, "1"), zeros);
  EXPECT_NE(ofSparseFile(length, length - 1, "1"), zeros);
  EXPECT_NE(ofZeros(length + 1), zeros);
}

TEST(Fingerprint, SeesEachStretchOfALongFileThatIsLongerThanAGap) {
  const int64_t length = 2 * kWholeBytes;
  EXPECT_NE(ofSparseFile(length, length / 3,
                         std::string(length / kNumBlocks + 1, '1')),
            ofZeros(length));
}

TEST(Fingerprint, NamesAFileThatCannotBeRead) {
  EXPECT_THAT(of("/no/such/file"), HasSubstr("cannot read /no/such/file"));
  EXPECT_THAT(of("/"), HasSubstr("cannot read /: it is no regular file"));
  const std::string pipe = testing::TempDir() + "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(of(pipe), HasSubstr("it is no regular file"));
}

}  // namespace
}  // namespace sbp::data
