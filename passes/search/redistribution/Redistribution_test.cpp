// The sweep over ordered moves finds what Dijkstra's algorithm finds with all
// collectives in any order.

#include "passes/search/redistribution/Redistribution.h"

#include <cmath>
#include <limits>
#include <queue>
#include <random>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Tolerance: prices are rounded to ticks, a path has few moves, and the oracle
/// does not round.
constexpr Ticks kRounding = 30;

struct Machine {
  const char* name;
  std::vector<Level> levels;
  int64_t numDims = 2;
  std::vector<AxisClass> classes = axisClassesOf(levels);
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

const std::vector<Machine> kMachines = {
    {"eight_in_one_level", {{8, {1e-5, 4e-11}}}},
    {"four_nodes_of_four", {{4, {1e-5, 4e-11}}, {4, {3e-6, 3.3e-12}}}},
    {"six_nodes_of_six", {{6, {2e-5, 1e-10}}, {6, {1e-6, 1e-12}}}},
    {"three_levels",
     {{2, {2e-5, 1.6e-10}}, {4, {1e-5, 4e-11}}, {4, {3e-6, 3e-12}}}},
    {"slow_inner_level", {{4, {1e-6, 1e-12}}, {8, {1e-4, 1e-9}}}},
    {"three_dimensions", {{8, {1e-5, 4e-11}}, {4, {3e-6, 3.3e-12}}}, 3},
    {"axes_told_apart",
     {{8, {1e-5, 4e-11}}, {2, {3e-6, 3.3e-12}}},
     3,
     {{0, 2, 2}, {0, 2, 1}, {1, 2, 1}}},
};
constexpr double kSizes[] = {0, 1e3, 1e5, 1e7, 1e10};

/// Every collective over axes of one level that have one kind.
class Oracle {
 public:
  explicit Oracle(const LayoutSpace& space) : space_(space) {}

  std::vector<double> distancesFrom(Layout from, double bytes) const {
    std::vector<double> distance(space_.numLayouts(), kInfinity);
    std::priority_queue<std::pair<double, Layout>> queue;
    distance[from] = 0;
    queue.push({0, from});
    while (!queue.empty()) {
      auto [negative, at] = queue.top();
      queue.pop();
      if (-negative > distance[at]) continue;
      for (auto [to, seconds] : movesOf(at, bytes)) {
        double reached = distance[at] + seconds;
        if (!(reached < distance[to])) continue;
        distance[to] = reached;
        queue.push({-reached, to});
      }
    }
    return distance;
  }

 private:
  struct Step {
    Layout to;
    double seconds;
  };

  double secondsOf(Layout layout, Kind from, Kind to, double p, int64_t level,
                   double bytes) const {
    double held = bytes * space_.heldFraction(layout);
    const Link& network = space_.levels()[level].link;
    bool isSplit = from < space_.numDims();
    double sent;
    if (isSplit && to == space_.broadcast())
      sent = (p - 1) * held;
    else if (to < space_.numDims() && from != space_.broadcast())
      sent = (p - 1) / p * held;
    else
      return from == space_.partial() ? kInfinity : 0;
    return (p - 1) * network.alpha + sent * network.beta;
  }

  std::vector<Step> movesOf(Layout layout, double bytes) const {
    std::vector<Step> steps;
    for (int64_t level = 0;
         level < static_cast<int64_t>(space_.levels().size()); ++level)
      for (Kind from = 0; from < space_.numKinds(); ++from)
        for (Kind to = 0; to < space_.numKinds(); ++to)
          if (from != to)
            extend(layout, layout, 1, 0, from, to, level, bytes, steps);
    return steps;
  }

  void extend(Layout start, Layout reached, double p, size_t axisClass,
              Kind from, Kind to, int64_t level, double bytes,
              std::vector<Step>& steps) const {
    if (axisClass == space_.classes().size()) {
      double seconds = secondsOf(start, from, to, p, level, bytes);
      if (p > 1 && std::isfinite(seconds)) steps.push_back({reached, seconds});
      return;
    }
    const AxisClass& axes = space_.classes()[axisClass];
    int64_t most =
        axes.level == level ? space_.count(start, axisClass, from) : 0;
    for (int64_t taken = 0; taken <= most; ++taken) {
      extend(start, reached, p, axisClass + 1, from, to, level, bytes, steps);
      if (taken == most) break;
      reached = space_.moved(reached, axisClass, from, to);
      p *= static_cast<double>(axes.prime);
    }
  }

  const LayoutSpace& space_;
};

class Redistributions : public testing::TestWithParam<Machine> {
 protected:
  Redistributions()
      : space(GetParam().levels, GetParam().classes, GetParam().numDims,
              Terms::Allowed),
        redistribution(space) {}

  std::vector<Ticks> distancesFrom(Layout from, double bytes) const {
    return redistribution.distancesFrom(redistribution.tariff(bytes), from);
  }

  LayoutSpace space;
  Redistribution redistribution;
};

TEST_P(Redistributions, CostWhatDijkstraFinds) {
  Oracle oracle(space);
  for (double bytes : kSizes)
    for (Layout from = 0; from < space.numLayouts(); ++from) {
      std::vector<double> expected = oracle.distancesFrom(from, bytes);
      std::vector<Ticks> actual = distancesFrom(from, bytes);
      for (Layout to = 0; to < space.numLayouts(); ++to)
        ASSERT_NEAR(actual[to], expected[to] * kTicksPerSecond, kRounding)
            << from << " to " << to << ", " << bytes << " bytes";
    }
}

TEST_P(Redistributions, CostTheSameSeenFromTheOtherEnd) {
  Tariff tariff = redistribution.tariff(1e6);
  std::vector<std::vector<Ticks>> distances;
  for (Layout from = 0; from < space.numLayouts(); ++from)
    distances.push_back(redistribution.distancesFrom(tariff, from));
  for (Layout to = 0; to < space.numLayouts(); ++to) {
    std::vector<Ticks> values = redistribution.distancesTo(tariff, to);
    for (Layout from = 0; from < space.numLayouts(); ++from)
      ASSERT_EQ(values[from], distances[from][to]);
  }
}

TEST_P(Redistributions, GrowWithTheBytes) {
  for (Layout from = 0; from < space.numLayouts(); ++from) {
    std::vector<Ticks> less = distancesFrom(from, kSizes[0]);
    for (double bytes : kSizes) {
      std::vector<Ticks> more = distancesFrom(from, bytes);
      for (Layout to = 0; to < space.numLayouts(); ++to)
        ASSERT_GE(more[to], less[to]);
      less = std::move(more);
    }
  }
}

/// Exchanging Broadcast and Partial reverses every move: gather and
/// reduce-scatter, slice and pad. So a gradient's way back costs as much as its
/// tensor's way.
TEST_P(Redistributions, OfAGradientMirrorThoseOfItsTensor) {
  for (double bytes : kSizes) {
    Tariff tariff = redistribution.tariff(bytes);
    for (Layout from = 0; from < space.numLayouts(); ++from) {
      std::vector<Ticks> forward = redistribution.distancesFrom(tariff, from);
      std::vector<Ticks> backward =
          redistribution.distancesTo(tariff, space.dual(from));
      for (Layout to = 0; to < space.numLayouts(); ++to)
        ASSERT_NEAR(forward[to], backward[space.dual(to)], kRounding);
    }
  }
}

TEST_P(Redistributions, FollowAPathOfTheirMoves) {
  std::mt19937_64 random(1);
  for (int64_t trial = 0; trial < 200; ++trial) {
    auto from = static_cast<Layout>(random() % space.numLayouts());
    auto to = static_cast<Layout>(random() % space.numLayouts());
    Tariff tariff = redistribution.tariff(kSizes[random() % std::size(kSizes)]);
    Layout at = from;
    Ticks ticks = 0;
    for (const Move& move : redistribution.path(tariff, from, to)) {
      EXPECT_EQ(move.from, at);
      at = move.to;
      ticks += move.ticks;
    }
    EXPECT_EQ(at, to);
    EXPECT_NEAR(ticks, redistribution.distancesFrom(tariff, from)[to],
                kRounding);
  }
}

INSTANTIATE_TEST_SUITE_P(On, Redistributions, testing::ValuesIn(kMachines),
                         [](const testing::TestParamInfo<Machine>& machine) {
                           return machine.param.name;
                         });

TEST(LayoutSpaces, HaveOneLayoutPerSharingOutOfTheAxes) {
  EXPECT_EQ(LayoutSpace({{64}, {8}}, 2).numLayouts(), 84 * 20);
  EXPECT_EQ(LayoutSpace({{8}, {64}, {8}}, 2).numLayouts(), 20 * 84 * 20);
  EXPECT_EQ(LayoutSpace({{16}, {256}, {16}}, 2).numLayouts(), 202125);
  EXPECT_EQ(LayoutSpace({{64}, {8}}, 3).numLayouts(), 7350);
  EXPECT_EQ(LayoutSpace({{6}}, 2).numLayouts(), 4 * 4);
  EXPECT_EQ(LayoutSpace({{1}}, 2).numLayouts(), 1);
}

TEST(LayoutSpaces, AreTranslatedKindByKind) {
  std::vector<Level> levels = {{4}, {2}};
  LayoutSpace whole(levels, 2), settled(levels, 2, Terms::None);
  EXPECT_EQ(settled.numLayouts(), 6 * 3);
  // For a product: rows stay, columns become Broadcast, and Partial becomes
  // rows of weights.
  Relabelling reads(whole, settled, {0, 2, 2, 1}, {0, 1});
  EXPECT_EQ(reads(whole.layoutOf({{1, 0, 0, 1}, {0, 1, 0, 0}})),
            settled.layoutOf({{1, 1, 0}, {0, 0, 1}}));

  LayoutSpace apart(levels, {{0, 2, 1}, {0, 2, 1}, {1, 2, 1}}, 2,
                    Terms::Allowed);
  EXPECT_EQ(apart.numLayouts(), 4 * 4 * 4);
  Relabelling layoutOf(apart, whole, {0, 1, 2, 3}, {0, 0, 1});
  EXPECT_EQ(
      layoutOf(apart.layoutOf({{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}})),
      whole.layoutOf({{1, 0, 0, 1}, {0, 1, 0, 0}}));
}

TEST(LayoutSpaces, MoveOneAxisAtATime) {
  LayoutSpace space({{4}, {2}}, 2);
  Layout layout = space.layoutOf({{1, 0, 1, 0}, {0, 0, 0, 1}});
  EXPECT_EQ(space.heldFraction(layout), 0.5);
  Layout moved = space.moved(layout, 0, space.broadcast(), 1);
  EXPECT_EQ(moved, space.layoutOf({{1, 1, 0, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(space.heldFraction(moved), 0.25);
  EXPECT_EQ(space.dual(layout), space.layoutOf({{1, 0, 0, 1}, {0, 0, 1, 0}}));
}

}  // namespace
}  // namespace sbp::search
