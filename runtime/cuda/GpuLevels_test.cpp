#include "runtime/cuda/GpuLevels.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

/// Returns a host of `numGpus` GPUs, all linked by `link`.
HostGpus hostOf(int64_t numGpus, GpuLink link) {
  HostGpus host;
  for (int64_t i = 0; i < numGpus; ++i) {
    HostGpu gpu;
    gpu.pcieBytesPerSecond = 32e9;
    gpu.nvlinkBytesPerSecond = 25e9;
    gpu.directNvlinks.assign(numGpus, 0);
    gpu.links.assign(numGpus, link);
    gpu.links[i] = GpuLink::kNvlink;
    host.gpus.push_back(gpu);
  }
  return host;
}

void join(HostGpus& host, int64_t i, int64_t j, GpuLink link) {
  host.gpus[i].links[j] = host.gpus[j].links[i] = link;
}

TEST(GpuLevelsTest, AllNestedPartsAreLevels) {
  // 2 sockets of 2 islands of 2 GPUs.
  HostGpus host = hostOf(8, GpuLink::kSockets);
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j)
      if (i != j && i / 4 == j / 4) join(host, i, j, GpuLink::kPcie);
  for (int64_t i = 0; i < 8; i += 2) {
    join(host, i, i + 1, GpuLink::kNvlink);
    host.gpus[i].directNvlinks[i + 1] = host.gpus[i + 1].directNvlinks[i] = 4;
  }
  const GpuLevels found = gpuLevelsOf(host, 8);
  ASSERT_EQ(found.levels.size(), 3u);
  const GpuLevel expected[] = {{"socket", 2, GpuLink::kSockets, 10e9 / 4},
                               {"island", 2, GpuLink::kPcie, 32e9},
                               {"gpu", 2, GpuLink::kNvlink, 100e9}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.levels[i].name, expected[i].name);
    EXPECT_EQ(found.levels[i].count, expected[i].count);
    EXPECT_EQ(found.levels[i].link, expected[i].link);
    EXPECT_DOUBLE_EQ(found.levels[i].bytesPerSecond,
                     expected[i].bytesPerSecond);
  }
  EXPECT_FALSE(found.hasUncountedLinks);
  EXPECT_EQ(gpuLevelsOf(host, 4).levels.size(), 2u);
  EXPECT_EQ(gpuLevelsOf(host, 1).levels.size(), 1u);
  // Of six GPUs the islands are of one size, the sockets are not.
  EXPECT_EQ(gpuLevelsOf(host, 6).levels.size(), 2u);
  EXPECT_TRUE(gpuLevelsOf(host, 6).hasUncountedLinks);
}

TEST(GpuLevelsTest, AnIncompleteIslandDoesNotCount) {
  // A ring of NVLinks: GPUs 0 and 2 have none.
  HostGpus host = hostOf(4, GpuLink::kPcie);
  for (int64_t i = 0; i < 4; ++i) join(host, i, (i + 1) % 4, GpuLink::kNvlink);
  const GpuLevels found = gpuLevelsOf(host, 4);
  ASSERT_EQ(found.levels.size(), 1u);
  EXPECT_EQ(found.levels[0].link, GpuLink::kPcie);
  EXPECT_TRUE(found.hasUncountedLinks);
}

/// Returns the outermost level whose parts do not have both GPUs.
const GpuLevel& levelBetween(const GpuLevels& found, int64_t i, int64_t j) {
  int64_t size = 1;
  for (const GpuLevel& level : found.levels) size *= level.count;
  for (const GpuLevel& level : found.levels) {
    size /= level.count;
    if (i / size != j / size) return level;
  }
  return found.levels.back();
}

TEST(GpuLevelsTest, NoPairOfGpusIsTakenToBeFasterThanItIs) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int64_t numGpus = 2 + trial % 7;
    HostGpus host = hostOf(numGpus, GpuLink::kHost);
    for (int64_t i = 0; i < numGpus; ++i)
      for (int64_t j = 0; j < i; ++j)
        join(host, i, j, static_cast<GpuLink>(random() % 2 * (random() % 4)));
    const GpuLevels found = gpuLevelsOf(host, numGpus);
    int64_t product = 1;
    for (const GpuLevel& level : found.levels) product *= level.count;
    ASSERT_EQ(product, numGpus);
    for (int64_t i = 0; i < numGpus; ++i)
      for (int64_t j = 0; j < numGpus; ++j) {
        if (i == j) continue;
        EXPECT_LE(host.gpus[i].links[j], levelBetween(found, i, j).link);
      }
  }
}

}  // namespace
}  // namespace sbp::cuda
