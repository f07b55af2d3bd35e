// Checks that no order of random work is faster than the bounds, and that the
// bounds are attained where the order is forced.

#include "passes/explain/WorkGraph.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace sbp {
namespace {

struct Work {
  double seconds = 0;
  int64_t worker = WorkGraph::kNoWorker;
  std::vector<int64_t> before;
};

WorkGraph graphOf(const std::vector<Work>& all) {
  WorkGraph graph;
  for (const Work& work : all)
    graph.add(work.seconds, work.worker, work.before);
  return graph;
}

/// Returns the seconds of `all` if its nodes are started in `order`, each as
/// early as possible.
double secondsOf(const std::vector<Work>& all,
                 const std::vector<int64_t>& order) {
  std::vector<double> ends(all.size(), 0), clocks(all.size(), 0);
  double last = 0;
  for (int64_t number : order) {
    const Work& work = all[number];
    double start = 0;
    for (int64_t before : work.before) start = std::max(start, ends[before]);
    if (work.worker >= 0) start = std::max(start, clocks[work.worker]);
    ends[number] = start + work.seconds;
    if (work.worker >= 0) clocks[work.worker] = ends[number];
    last = std::max(last, ends[number]);
  }
  return last;
}

/// Returns the least seconds over all orders in which each node comes after the
/// nodes that it waits for.
double leastSeconds(const std::vector<Work>& all) {
  std::vector<int64_t> order(all.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  double least = secondsOf(all, order);
  do {
    std::vector<bool> isDone(all.size(), false);
    bool canRun = true;
    for (int64_t number : order) {
      for (int64_t before : all[number].before) canRun &= isDone[before];
      isDone[number] = true;
    }
    if (canRun) least = std::min(least, secondsOf(all, order));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(WorkGraphTest, NoOrderTakesLess) {
  std::mt19937 random(7);
  auto upTo = [&](int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most)(random);
  };
  int numMet = 0;
  constexpr int kNumCases = 200;
  for (int round = 0; round < kNumCases; ++round) {
    std::vector<Work> all(6);
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].seconds = static_cast<double>(upTo(9));
      all[i].worker = upTo(2) - 1;
      for (size_t before = 0; before < i; ++before)
        if (upTo(2) == 0) all[i].before.push_back(static_cast<int64_t>(before));
    }
    const WorkGraph graph = graphOf(all);
    const double bound = std::max(graph.longestChain(), graph.workersBound());
    const double least = leastSeconds(all);
    EXPECT_LE(bound, least) << "case " << round;
    if (bound == least) ++numMet;
  }
  EXPECT_GT(numMet, kNumCases / 2);
}

TEST(WorkGraphTest, APipelineOfTwoStagesTakesWhatTheLastOneNeeds) {
  // Two micro-batches go forward: 2 seconds on worker 0, a transfer of 1
  // second, 3 seconds on worker 1, and 4 more seconds that belong to no worker.
  std::vector<Work> all;
  for (int64_t part = 0; part < 2; ++part) {
    const auto first = static_cast<int64_t>(all.size());
    all.push_back({2, 0, {}});
    all.push_back({1, WorkGraph::kNoWorker, {first}});
    all.push_back({3, 1, {first + 1}});
    all.push_back({4, WorkGraph::kNoWorker, {first + 2}});
  }
  const WorkGraph graph = graphOf(all);
  EXPECT_EQ(graph.longestChain(), 2 + 1 + 3 + 4);
  EXPECT_EQ(graph.workersBound(), 2 + 1 + 2 * 3 + 4);
  EXPECT_EQ(secondsOf(all, {0, 1, 2, 3, 4, 5, 6, 7}), 2 + 1 + 2 * 3 + 4);
}

TEST(WorkGraphTest, NoWorkTakesNoTime) {
  EXPECT_EQ(WorkGraph().longestChain(), 0);
  EXPECT_EQ(WorkGraph().workersBound(), 0);
}

}  // namespace
}  // namespace sbp
