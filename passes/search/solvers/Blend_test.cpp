// A blend is within the limits, costs no more than the given assignment, and
// takes each state from one of the two.

#include "passes/search/solvers/Blend.h"

#include <cstdint>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

/// A problem of variables with two states. The second state of a variable saves
/// `saved`, and uses `used` of one resource.
struct Choices {
  Problem problem;
  std::vector<Resource> resources{1};

  explicit Choices(double limit) { resources.front().limit = limit; }

  void add(double saved, double used) {
    int64_t variable = problem.addVariable("v", 2);
    problem.addCosts({variable}, {saved, 0});
    resources.front().uses.push_back({0, used});
  }
  void link(int64_t a, int64_t b) {
    problem.addCosts({a, b}, {0, 50, 50, 0});
    resources.front().uses.push_back({});
  }
};

TEST(Blend, TakesThePartsThatSaveMostForWhatTheyUse) {
  Choices choices(/*limit=*/5);
  choices.add(/*saved=*/3, /*used=*/3);
  choices.add(/*saved=*/4, /*used=*/2);
  choices.add(/*saved=*/9, /*used=*/3);
  EXPECT_EQ(blend(choices.problem, choices.resources, {0, 0, 0}, {1, 1, 1}),
            (Assignment{0, 1, 1}));
}

TEST(Blend, TakesWhatIsLinkedTogetherOrNotAtAll) {
  Choices choices(/*limit=*/5);
  choices.add(/*saved=*/9, /*used=*/3);
  choices.add(/*saved=*/9, /*used=*/3);
  choices.add(/*saved=*/1, /*used=*/1);
  choices.link(0, 1);
  EXPECT_EQ(blend(choices.problem, choices.resources, {0, 0, 0}, {1, 1, 1}),
            (Assignment{0, 0, 1}));
}

TEST(Blend, TakesWhatFreesMemoryFirst) {
  Choices choices(/*limit=*/2);
  choices.add(/*saved=*/9, /*used=*/3);
  choices.add(/*saved=*/1, /*used=*/-2);
  EXPECT_EQ(blend(choices.problem, choices.resources, {0, 0}, {1, 1}),
            (Assignment{1, 1}));
}

/// A random problem with two resources, and two assignments. The first
/// assignment is within the limits.
struct RandomPair {
  Problem problem;
  std::vector<Resource> resources{2};
  Assignment fitting, other;

  explicit RandomPair(uint64_t seed) {
    std::mt19937_64 random(seed);
    auto below = [&](int64_t bound) {
      return static_cast<int64_t>(random() % bound);
    };
    int64_t numVariables = 1 + below(12);
    for (int64_t v = 0; v < numVariables; ++v)
      problem.addVariable("v" + std::to_string(v), 3);
    for (int64_t table = 0; table < numVariables; ++table) {
      std::vector<int64_t> scope = {below(numVariables)};
      int64_t second = below(numVariables);
      if (second != scope.front() && below(2)) scope.push_back(second);
      auto entries = [&](int64_t bound) {
        std::vector<double> values;
        for (int64_t i = scope.size() == 2 ? 9 : 3; i > 0; --i)
          values.push_back(below(bound));
        return values;
      };
      problem.addCosts(scope, entries(1000));
      for (Resource& resource : resources)
        resource.uses.push_back(below(3) ? entries(100)
                                         : std::vector<double>());
    }
    for (Assignment* assignment : {&fitting, &other})
      for (int64_t v = 0; v < numVariables; ++v)
        assignment->push_back(below(3));
    for (Resource& resource : resources)
      resource.limit = 1 + resource.usedBy(problem, fitting) + below(150);
  }
};

TEST(Blend, IsWithinLimitsAndNoDearer) {
  int numBetter = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomPair pair(seed);
    const Problem& problem = pair.problem;
    Assignment both = blend(problem, pair.resources, pair.fitting, pair.other);
    ASSERT_EQ(both.size(), pair.fitting.size());
    for (size_t v = 0; v < both.size(); ++v)
      EXPECT_TRUE(both[v] == pair.fitting[v] || both[v] == pair.other[v]);
    for (const Resource& resource : pair.resources)
      EXPECT_LE(resource.usedBy(problem, both), resource.limit * (1 + 1e-12))
          << "seed " << seed;
    EXPECT_LE(problem.cost(both), problem.cost(pair.fitting))
        << "seed " << seed;
    if (problem.cost(both) < problem.cost(pair.fitting) &&
        problem.cost(both) < problem.cost(pair.other))
      ++numBetter;
  }
  EXPECT_GT(numBetter, 500);  // so that the above is not for nothing
}

}  // namespace
}  // namespace sbp::search
