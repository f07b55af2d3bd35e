// Messages give lower bounds. On chains and in one fan the bound is the
// optimum.

#include "passes/search/solvers/Messages.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/solvers/AlikeVariables.h"
#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {
namespace {

/// Random problems of a few variables. Some states of a variable have one face.
class RandomLinks {
 public:
  explicit RandomLinks(uint64_t seed) : random_(seed) {}

  LinkedProblem chain(size_t numVariables) {
    LinkedProblem problem = variables(numVariables);
    for (size_t v = 0; v + 1 < numVariables; ++v) addFan(problem, {v, v + 1});
    return problem;
  }

  /// One fan of all variables, in any order.
  LinkedProblem fan(size_t numVariables) {
    LinkedProblem problem = variables(numVariables);
    std::vector<size_t> ends(numVariables);
    std::iota(ends.begin(), ends.end(), 0);
    std::shuffle(ends.begin(), ends.end(), random_);
    addFan(problem, ends);
    return problem;
  }

  /// Returns a tree of fans: each new fan has one end in the fans before.
  LinkedProblem treeOfFans(size_t numVariables) {
    LinkedProblem problem = variables(numVariables);
    for (size_t next = 1; next < numVariables;) {
      std::vector<size_t> ends = {random_() % next};
      size_t numUsers = 1 + random_() % LinkedProblem::kMaxUses;
      while (ends.size() <= numUsers && next < numVariables)
        ends.push_back(next++);
      std::shuffle(ends.begin(), ends.end(), random_);
      addFan(problem, ends);
    }
    return problem;
  }

  /// Returns two copies of a tree of fans that share the first variable.
  LinkedProblem twoBranches(size_t numVariables) {
    LinkedProblem problem = treeOfFans(numVariables);
    const LinkedProblem branch = problem;
    size_t numViews = branch.views.size();
    problem.own.insert(problem.own.end(), branch.own.begin() + 1,
                       branch.own.end());
    for (FacedVariable view : branch.views) {
      if (view.variable > 0) view.variable += numVariables - 1;
      problem.views.push_back(std::move(view));
    }
    for (LinkedProblem::Fan fan : branch.fans) {
      for (size_t& view : fan.views) view += numViews;
      problem.fans.push_back(std::move(fan));
    }
    return problem;
  }

  /// Returns a ring of equal variables with equal links.
  LinkedProblem ring(size_t numVariables) {
    LinkedProblem problem = variables(1);
    problem.own.resize(numVariables, problem.own.front());
    FaceCosts& costs = problem.costs.emplace_back();
    costs.rows = costs.columns = problem.own.front().size();
    for (size_t i = 0; i < costs.rows * costs.columns; ++i)
      costs.costs.push_back(anyCost());
    for (size_t v = 0; v < numVariables; ++v) {
      FacedVariable& view = problem.views.emplace_back();
      view.variable = v;
      view.numFaces = costs.rows;
      for (size_t state = 0; state < costs.rows; ++state)
        view.faceOf.push_back(static_cast<State>(state));
      problem.fans.push_back({{v, (v + 1) % numVariables}, {0}, 1});
    }
    return problem;
  }

  /// Returns a chain with further fans across it, some between the same
  /// variables.
  LinkedProblem graph(size_t numVariables) {
    LinkedProblem problem = chain(numVariables);
    for (size_t fan = 0; fan < numVariables; ++fan) {
      std::vector<size_t> ends;
      while (ends.size() < 2 + fan % LinkedProblem::kMaxUses) {
        size_t end = random_() % numVariables;
        if (std::find(ends.begin(), ends.end(), end) == ends.end())
          ends.push_back(end);
      }
      addFan(problem, ends);
    }
    return problem;
  }

 private:
  Cost anyCost() { return static_cast<Cost>(random_() % 1000) * 1e-3; }

  LinkedProblem variables(size_t number) {
    LinkedProblem problem;
    for (size_t v = 0; v < number; ++v) {
      std::vector<Cost>& own = problem.own.emplace_back(2 + random_() % 4);
      for (Cost& cost : own) cost = anyCost();
    }
    return problem;
  }

  size_t addView(LinkedProblem& problem, size_t variable) {
    FacedVariable view;
    view.variable = variable;
    size_t numStates = problem.own[variable].size();
    view.numFaces = 1 + random_() % numStates;
    for (size_t state = 0; state < numStates; ++state)
      view.faceOf.push_back(static_cast<State>(
          state < view.numFaces ? state : random_() % view.numFaces));
    problem.views.push_back(std::move(view));
    return problem.views.size() - 1;
  }

  void addFan(LinkedProblem& problem, const std::vector<size_t>& ends) {
    LinkedProblem::Fan fan;
    fan.times = 0.5 * static_cast<double>(1 + random_() % 4);
    for (size_t end : ends) {
      size_t to = addView(problem, end);
      for (size_t from : fan.views) {
        fan.costs.push_back(problem.costs.size());
        FaceCosts& costs = problem.costs.emplace_back();
        costs.rows = problem.views[from].numFaces;
        costs.columns = problem.views[to].numFaces;
        for (size_t i = 0; i < costs.rows * costs.columns; ++i)
          costs.costs.push_back(anyCost());
      }
      fan.views.push_back(to);
    }
    problem.fans.push_back(std::move(fan));
  }

  std::mt19937_64 random_;
};

Cost costOf(const LinkedProblem& problem, const Assignment& assignment) {
  Cost cost = 0;
  for (size_t v = 0; v < problem.own.size(); ++v)
    cost += problem.own[v][assignment[v]];
  for (const LinkedProblem::Fan& fan : problem.fans)
    cost += problem.costOf(fan, assignment);
  return cost;
}

/// Returns the min-marginals, per variable and state, by trying all
/// assignments.
std::vector<std::vector<Cost>> leastWith(const LinkedProblem& problem) {
  std::vector<std::vector<Cost>> least;
  for (const std::vector<Cost>& own : problem.own)
    least.emplace_back(own.size(), kInfiniteCost);
  Assignment assignment(problem.own.size(), 0);
  while (true) {
    Cost cost = costOf(problem, assignment);
    for (size_t v = 0; v < least.size(); ++v)
      least[v][assignment[v]] = std::min(least[v][assignment[v]], cost);
    size_t v = 0;
    while (v < assignment.size() &&
           ++assignment[v] == static_cast<State>(problem.own[v].size()))
      assignment[v++] = 0;
    if (v == assignment.size()) return least;
  }
}

Cost optimumOf(const std::vector<std::vector<Cost>>& leastWith) {
  return *std::min_element(leastWith[0].begin(), leastWith[0].end());
}

constexpr Cost kRounding = 1e-9;

TEST(Messages, are_the_optimum_of_a_chain_after_one_sweep) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    LinkedProblem problem = RandomLinks(seed).chain(6);
    auto least = leastWith(problem);
    Cost optimum = optimumOf(least);
    Messages messages(problem);
    messages.sweep();
    EXPECT_NEAR(messages.bound(), optimum, kRounding) << seed;
    messages.sweep();
    for (size_t v = 0; v < least.size(); ++v)
      for (size_t state = 0; state < least[v].size(); ++state)
        EXPECT_NEAR(messages.with(v)[state], least[v][state], kRounding)
            << seed;
  }
}

TEST(Messages, are_the_optimum_of_a_fan_after_one_sweep) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    LinkedProblem problem =
        RandomLinks(seed).fan(2 + seed % LinkedProblem::kMaxUses);
    auto least = leastWith(problem);
    Messages messages(problem);
    messages.sweep();
    EXPECT_NEAR(messages.bound(), optimumOf(least), kRounding) << seed;
    messages.sweep();
    for (size_t v = 0; v < least.size(); ++v)
      for (size_t state = 0; state < least[v].size(); ++state)
        EXPECT_NEAR(messages.with(v)[state], least[v][state], kRounding)
            << seed;
  }
}

TEST(Messages, approach_the_optimum_of_a_tree_of_fans) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    LinkedProblem problem = RandomLinks(seed).treeOfFans(8);
    Cost optimum = optimumOf(leastWith(problem));
    Messages messages(problem);
    for (int sweep = 0; sweep < 100; ++sweep) messages.sweep();
    EXPECT_LE(messages.bound(), optimum + kRounding) << seed;
    EXPECT_GE(messages.bound(), optimum - 1e-6) << seed;
  }
}

/// Expects that messages are lower bounds of `problem` after each of many
/// sweeps. Returns the gap of the last bound to the optimum.
Cost gapOf(const LinkedProblem& problem) {
  auto least = leastWith(problem);
  Cost optimum = optimumOf(least);
  Messages messages(problem);
  Cost before = 0;
  for (int sweep = 0; sweep < 50; ++sweep) {
    messages.sweep();
    EXPECT_GE(messages.bound(), before - kRounding);
    EXPECT_LE(messages.bound(), optimum + kRounding);
    before = messages.bound();
    for (size_t v = 0; v < least.size(); ++v)
      for (size_t state = 0; state < least[v].size(); ++state)
        EXPECT_LE(messages.with(v)[state], least[v][state] + kRounding)
            << "sweep " << sweep;
  }
  return optimum - messages.bound();
}

TEST(Messages, never_promise_more_than_an_assignment_costs) {
  int numTight = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    numTight += gapOf(RandomLinks(seed).graph(6)) < kRounding;
  }
  // Most bounds are tight, though there are cycles.
  EXPECT_GT(numTight, 150);
}

TEST(Messages, of_variables_that_are_alike_are_alike) {
  int numTight = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    LinkedProblem problem = RandomLinks(seed).twoBranches(5);
    AlikeVariables alike = alikeVariablesOf(problem);
    for (size_t v = 1; v < 5; ++v)
      EXPECT_EQ(alike.classOf[v], alike.classOf[v + 4]);
    EXPECT_EQ(alike.fanClassOf.front(),
              alike.fanClassOf[problem.fans.size() / 2]);
    numTight += gapOf(problem) < 1e-6;
  }
  // All bounds are tight, as there are no cycles.
  EXPECT_EQ(numTight, 100);
}

TEST(Messages, tell_apart_what_is_linked) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    LinkedProblem problem = RandomLinks(seed).ring(3 + seed % 4);
    AlikeVariables alike = alikeVariablesOf(problem);
    EXPECT_NE(alike.classOf[0], alike.classOf[1]);
    gapOf(problem);
  }
}

}  // namespace
}  // namespace sbp::search
