#include "runtime/cpu/Features.h"

#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::cpu {
namespace {

using ::testing::IsEmpty;

/// Returns the flags of this processor as the Linux kernel lists them: " fpu
/// vme ... avx2 ... ".
std::string flagsOfKernel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("flags", 0) == 0) return line + " ";
  return "";
}

TEST(Features, AreThoseThatTheKernelShows) {
  const std::string flags = flagsOfKernel();
  ASSERT_NE(flags, "");
  // Pairs of LLVM's name and the kernel's name.
  const std::pair<std::string, std::string> names[] = {
      {"ssse3", "ssse3"},
      {"sse4.1", "sse4_1"},
      {"sse4.2", "sse4_2"},
      {"popcnt", "popcnt"},
      {"movbe", "movbe"},
      {"avx", "avx"},
      {"avx2", "avx2"},
      {"fma", "fma"},
      {"f16c", "f16c"},
      {"bmi", "bmi1"},
      {"bmi2", "bmi2"},
      {"lzcnt", "abm"},
      {"avx512f", "avx512f"},
      {"avx512vl", "avx512vl"},
      {"avx512vbmi2", "avx512_vbmi2"},
      {"avx512vnni", "avx512_vnni"},
      {"avx512bf16", "avx512_bf16"},
      {"avx512fp16", "avx512_fp16"},
      {"avxvnni", "avx_vnni"},
      {"gfni", "gfni"}};
  for (const auto& [name, flag] : names) {
    const bool isHere = flags.find(" " + flag + " ") != std::string::npos;
    EXPECT_EQ(missingFeatures({name}).empty(), isHere) << name;
  }
}

TEST(Features, ThatNoKernelNeedsAreNotKnown) {
  EXPECT_TRUE(isKnownFeature("avx512f"));
  EXPECT_FALSE(isKnownFeature("aes"));
  EXPECT_THAT(missingFeatures({"fast-gather", "amx-tile"}), IsEmpty());
}

TEST(Features, OfOtherProcessorsAreMissing) {
  // No processor has both: Intel's have no XOP, and AMD's with XOP no AVX10.
  EXPECT_FALSE(missingFeatures({"xop", "avx10.2"}).empty());
}

}  // namespace
}  // namespace sbp::cpu
