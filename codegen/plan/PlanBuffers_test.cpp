#include "codegen/plan/PlanBuffers.h"

#include <algorithm>
#include <ctime>
#include <iostream>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace sbp {
namespace {

constexpr int64_t kAlignment = 64;

/// Fails if two buffers that are live at the same task share bytes.
void expectApart(const std::vector<LiveBuffer>& buffers,
                 const BufferLayout& layout) {
  ASSERT_EQ(layout.offsets.size(), buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    ASSERT_EQ(layout.offsets[a] % kAlignment, 0);
    ASSERT_GE(layout.offsets[a], 0);
    ASSERT_LE(layout.offsets[a] + buffers[a].bytes, layout.bytes);
    for (size_t b = 0; b < a; ++b) {
      bool inTime = buffers[a].first <= buffers[b].last &&
                    buffers[b].first <= buffers[a].last;
      bool inBytes = layout.offsets[a] < layout.offsets[b] + buffers[b].bytes &&
                     layout.offsets[b] < layout.offsets[a] + buffers[a].bytes;
      ASSERT_FALSE(inTime && inBytes) << "buffers " << b << " and " << a;
    }
  }
}

/// Returns one buffer per task: each task has one result of random size, which
/// some later task is the last to read.
std::vector<LiveBuffer> randomBuffers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LiveBuffer> buffers;
  for (size_t task = 0; task < count; ++task) {
    int64_t bytes = int64_t{4} << random() % 14;
    if (random() % 4 == 0) bytes += random() % 1000;
    if (random() % 20 == 0) bytes = 0;
    int64_t life = 1 + random() % 4;
    if (random() % 10 == 0) life = random() % count;
    buffers.push_back({bytes, static_cast<int64_t>(task),
                       std::min<int64_t>(task + life, count)});
  }
  return buffers;
}

/// Returns the buffers of a transformer's training step: the forward half of a
/// layer saves tensors, which its backward half reads in the opposite order.
std::vector<LiveBuffer> trainingStep(int64_t layers, int64_t tokens,
                                     int64_t width) {
  // Sizes of a layer's tensors in units of tokens x width elements, and whether
  // the backward half needs them.
  struct Tensor {
    double units;
    bool isKept;
  };
  const Tensor forward[] = {{1, true}, {1, true}, {3, true},  {1, true},
                            {1, true}, {1, true}, {1, false}, {1, true},
                            {4, true}, {4, true}, {1, false}, {1, true}};
  constexpr int64_t kForwardTasks = std::size(forward);
  const double backward[] = {1, 4, 4, 1, 1, 1, 1, 1, 3, 1, 1, 1};
  constexpr int64_t kBackwardTasks = 2 * std::size(backward);
  int64_t bytesPerUnit = tokens * width * 4;
  int64_t half = layers * kForwardTasks;
  std::vector<LiveBuffer> buffers;
  for (int64_t layer = 0; layer < layers; ++layer)
    for (int64_t i = 0; i < kForwardTasks; ++i) {
      int64_t first = layer * kForwardTasks + i;
      int64_t bytes = forward[i].units * bytesPerUnit;
      int64_t mirrored = half + (layers - 1 - layer) * kBackwardTasks +
                         2 * (kForwardTasks - 1 - i);
      buffers.push_back(
          {bytes, first, forward[i].isKept ? mirrored : first + 1});
    }
  for (int64_t layer = 0; layer < layers; ++layer)
    for (int64_t i = 0; i < kBackwardTasks; ++i) {
      int64_t first = half + layer * kBackwardTasks + i;
      // A gradient of an activation, then one of a weight.
      int64_t bytes =
          i % 2 == 0 ? backward[i / 2] * bytesPerUnit : 4 * width * width * 4;
      buffers.push_back({bytes, first, first + 2});
    }
  return buffers;
}

double ratioOf(const std::vector<LiveBuffer>& buffers) {
  return static_cast<double>(planBuffers(buffers, kAlignment).bytes) /
         static_cast<double>(busiestBytes(buffers, kAlignment));
}

TEST(PlanBuffers, gives_no_bytes_to_nothing) {
  EXPECT_EQ(planBuffers({}, kAlignment).bytes, 0);
  EXPECT_EQ(planBuffers({{0, 0, 5}}, kAlignment).bytes, 0);
}

TEST(PlanBuffers, reuses_bytes_that_nobody_needs_any_more) {
  EXPECT_EQ(planBuffers({{100, 0, 1}, {100, 2, 3}}, kAlignment).bytes, 128);
}

TEST(PlanBuffers, keeps_apart_what_one_task_reads_and_writes) {
  BufferLayout layout = planBuffers({{64, 0, 1}, {64, 1, 2}}, kAlignment);
  EXPECT_EQ(layout.bytes, 128);
}

TEST(PlanBuffers, fills_the_gap_that_fits_best) {
  // Gaps of 128 and of 64 bytes open between the three long-lived buffers.
  std::vector<LiveBuffer> buffers = {{1024, 0, 9}, {128, 0, 1},  {1024, 0, 9},
                                     {64, 0, 1},   {1024, 0, 9}, {64, 2, 9}};
  BufferLayout layout = planBuffers(buffers, kAlignment);
  expectApart(buffers, layout);
  EXPECT_EQ(layout.bytes, busiestBytes(buffers, kAlignment));
}

TEST(PlanBuffers, never_lets_live_buffers_overlap) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::vector<LiveBuffer> buffers = randomBuffers(5 + seed, seed);
    BufferLayout layout = planBuffers(buffers, kAlignment);
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectApart(buffers, layout);
    EXPECT_GE(layout.bytes, busiestBytes(buffers, kAlignment));
    if (HasFatalFailure()) return;
  }
}

TEST(PlanBuffers, comes_within_a_half_percent_of_the_least_for_random_tasks) {
  double sum = 0;
  constexpr unsigned kSeeds = 50;
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    sum += ratioOf(randomBuffers(400, seed));
  RecordProperty("mean_ratio", std::to_string(sum / kSeeds));
  std::cout << "mean arena / least: " << sum / kSeeds << "\n";
  EXPECT_LE(sum / kSeeds, 1.005);
}

TEST(PlanBuffers, comes_within_5_percent_of_the_least_for_training_steps) {
  for (int64_t layers : {1, 6, 12, 48})
    for (int64_t tokens : {256, 1000, 2048}) {
      double ratio = ratioOf(trainingStep(layers, tokens, 384));
      std::cout << layers << " layers, " << tokens << " tokens: " << ratio
                << "\n";
      EXPECT_LE(ratio, 1.05);
    }
}

TEST(PlanBuffers, takes_less_than_a_second_for_10000_buffers) {
  for (const std::vector<LiveBuffer>& buffers :
       {randomBuffers(10000, 1), trainingStep(278, 2048, 384)}) {
    std::clock_t begin = std::clock();  // CPU time of this process
    BufferLayout layout = planBuffers(buffers, kAlignment);
    double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::cout << buffers.size() << " buffers: " << seconds << " s\n";
    EXPECT_GT(layout.bytes, 0);
    EXPECT_LT(seconds, 1.0);
  }
}

}  // namespace
}  // namespace sbp
