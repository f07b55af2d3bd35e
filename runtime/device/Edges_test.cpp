#include "runtime/device/Edges.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::device {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Access reads(int64_t begin, int64_t bytes) { return {begin, bytes, false}; }
Access writes(int64_t begin, int64_t bytes) { return {begin, bytes, true}; }

std::vector<Edge> added(Edges& edges, size_t stream,
                        std::vector<Access> accesses) {
  const absl::Span<const Edge> result = edges.add(stream, accesses);
  return {result.begin(), result.end()};
}

TEST(Edges, JoinsReadersWithTheWriterAndTheNextWriterWithReaders) {
  Edges edges(2);
  EXPECT_THAT(added(edges, 0, {writes(0, 8)}), IsEmpty());
  EXPECT_THAT(added(edges, 1, {reads(4, 8), writes(16, 8)}),
              ElementsAre(Edge{0, 1}));
  EXPECT_THAT(added(edges, 0, {reads(0, 8)}), IsEmpty());
  EXPECT_THAT(added(edges, 0, {writes(8, 4)}), ElementsAre(Edge{1, 1}));
}

TEST(Edges, LeavesOutWhatOthersImply) {
  Edges edges(3);
  added(edges, 0, {writes(0, 8)});
  added(edges, 1, {reads(0, 8), writes(8, 8)});  // after run 1 of stream 0
  // Reads what both have written; run 1 of stream 1 comes after the other.
  EXPECT_THAT(added(edges, 2, {reads(0, 16)}), ElementsAre(Edge{1, 1}));
  EXPECT_THAT(added(edges, 2, {reads(0, 16)}), IsEmpty());
}

TEST(Edges, WaitForNothingThatHasEnded) {
  Edges edges(2);
  added(edges, 0, {writes(0, 8)});
  added(edges, 1, {reads(0, 8), writes(8, 8)});
  added(edges, 1, {writes(16, 8)});
  EXPECT_THAT(added(edges, 0, {reads(8, 8)}), ElementsAre(Edge{1, 1}));
  edges.end(0);  // and so run 1 of stream 1
  EXPECT_THAT(added(edges, 1, {reads(0, 8)}), IsEmpty());
  EXPECT_THAT(added(edges, 0, {reads(16, 8)}), ElementsAre(Edge{1, 2}));
}

TEST(Edges, WaitForAllThatIsForgotten) {
  Edges edges(2);
  added(edges, 0, {writes(0, 8)});
  for (int i = 0; i < 5000; ++i) added(edges, 0, {reads(100, 8)});
  EXPECT_THAT(added(edges, 1, {reads(0, 8)}),
              ElementsAre(Edge{0, 5001 - 4096}));
}

/// Runs of random streams that access random memory.
class RandomRuns {
 public:
  explicit RandomRuns(uint64_t seed) : random_(seed) {
    const size_t numStreams = 2 + random_() % 2;
    Edges edges(numStreams);
    std::vector<int64_t> counts(numStreams, 0);
    std::vector<std::vector<int>> byStream(numStreams);
    for (int i = 0; i < 30; ++i) {
      const size_t stream = random_() % numStreams;
      std::vector<Access> accesses;
      for (uint64_t k = 1 + random_() % 3; k > 0; --k)
        accesses.push_back({static_cast<int64_t>(random_() % 8),
                            static_cast<int64_t>(1 + random_() % 2),
                            random_() % 3 == 0});
      std::vector<int> before;
      if (!byStream[stream].empty()) before.push_back(byStream[stream].back());
      for (const Edge& edge : edges.add(stream, accesses)) {
        edges_.push_back({i, static_cast<int>(before.size())});
        before.push_back(byStream[edge.stream][edge.run - 1]);
      }
      byStream[stream].push_back(i);
      before_.push_back(before);
      accesses_.push_back(accesses);
    }
  }

  /// Whether run `first` always ends before `second` begins, if one edge is
  /// left out: number `without` of edges_, or none if that is -1.
  bool areOrdered(int first, int second, int without) const {
    for (size_t k = 0; k < before_[second].size(); ++k) {
      if (without >= 0 && edges_[without].run == second &&
          edges_[without].place == static_cast<int>(k))
        continue;
      const int earlier = before_[second][k];
      if (earlier == first ||
          (earlier > first && areOrdered(first, earlier, without)))
        return true;
    }
    return false;
  }

  /// Whether each two runs with conflicting accesses are ordered.
  bool isRight(int without = -1) const {
    for (int second = 0; second < static_cast<int>(accesses_.size()); ++second)
      for (int first = 0; first < second; ++first)
        if (conflict(first, second) && !areOrdered(first, second, without))
          return false;
    return true;
  }

  int numEdges() const { return static_cast<int>(edges_.size()); }

 private:
  struct PlacedEdge {
    int run = 0;
    int place = 0;  // in before_[run]
  };

  bool conflict(int first, int second) const {
    for (const Access& left : accesses_[first])
      for (const Access& right : accesses_[second])
        if (left.conflictsWith(right)) return true;
    return false;
  }

  std::mt19937_64 random_;
  std::vector<std::vector<Access>> accesses_;  // by run
  // By run: the runs for which it waits, first the one before it in its stream.
  std::vector<std::vector<int>> before_;
  std::vector<PlacedEdge> edges_;
};

TEST(Edges, OrderAllConflictsAndNoEdgeIsSuperfluous) {
  int numEdges = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const RandomRuns runs(seed);
    EXPECT_TRUE(runs.isRight()) << seed;
    for (int edge = 0; edge < runs.numEdges(); ++edge)
      EXPECT_FALSE(runs.isRight(/*without=*/edge)) << seed << ", edge " << edge;
    numEdges += runs.numEdges();
  }
  EXPECT_GT(numEdges, 1000);
}

}  // namespace
}  // namespace sbp::device
