// Messages give lower bounds. On chains and in one factor the bound is the
// optimum.

#include "passes/search/solvers/Messages.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/solvers/AlikeVariables.h"
#include "passes/search/solvers/FactorGraph.h"

namespace sbp::search {
namespace {

/// Random problems of a few variables. Some states of a variable have one
/// projection.
class RandomFactors {
 public:
  explicit RandomFactors(uint64_t seed) : random_(seed) {}

  FactorGraph chain(size_t numVariables) {
    FactorGraph problem = variables(numVariables);
    for (size_t v = 0; v + 1 < numVariables; ++v)
      addFactor(problem, {v, v + 1});
    return problem;
  }

  /// One factor of all variables, in any order.
  FactorGraph factor(size_t numVariables) {
    FactorGraph problem = variables(numVariables);
    std::vector<size_t> ends(numVariables);
    std::iota(ends.begin(), ends.end(), 0);
    std::shuffle(ends.begin(), ends.end(), random_);
    addFactor(problem, ends);
    return problem;
  }

  /// Returns a tree of factors: each new factor has one end in the factors
  /// before.
  FactorGraph treeOfFactors(size_t numVariables) {
    FactorGraph problem = variables(numVariables);
    for (size_t next = 1; next < numVariables;) {
      std::vector<size_t> ends = {random_() % next};
      size_t numUsers = 1 + random_() % FactorGraph::kMaxUses;
      while (ends.size() <= numUsers && next < numVariables)
        ends.push_back(next++);
      std::shuffle(ends.begin(), ends.end(), random_);
      addFactor(problem, ends);
    }
    return problem;
  }

  /// Returns two copies of a tree of factors that share the first variable.
  FactorGraph twoBranches(size_t numVariables) {
    FactorGraph problem = treeOfFactors(numVariables);
    const FactorGraph branch = problem;
    size_t numViews = branch.views.size();
    problem.own.insert(problem.own.end(), branch.own.begin() + 1,
                       branch.own.end());
    for (ProjectedVariable view : branch.views) {
      if (view.variable > 0) view.variable += numVariables - 1;
      problem.views.push_back(std::move(view));
    }
    for (FactorGraph::Factor factor : branch.factors) {
      for (size_t& view : factor.views) view += numViews;
      problem.factors.push_back(std::move(factor));
    }
    return problem;
  }

  /// Returns a ring of equal variables with equal links.
  FactorGraph ring(size_t numVariables) {
    FactorGraph problem = variables(1);
    problem.own.resize(numVariables, problem.own.front());
    ProjectionCosts& costs = problem.costs.emplace_back();
    costs.rows = costs.columns = problem.own.front().size();
    for (size_t i = 0; i < costs.rows * costs.columns; ++i)
      costs.costs.push_back(anyCost());
    for (size_t v = 0; v < numVariables; ++v) {
      ProjectedVariable& view = problem.views.emplace_back();
      view.variable = v;
      view.numProjections = costs.rows;
      for (size_t state = 0; state < costs.rows; ++state)
        view.projectionOf.push_back(static_cast<State>(state));
      problem.factors.push_back({{v, (v + 1) % numVariables}, {0}, 1});
    }
    return problem;
  }

  /// Returns a chain with further factors across it, some between the same
  /// variables.
  FactorGraph graph(size_t numVariables) {
    FactorGraph problem = chain(numVariables);
    for (size_t factor = 0; factor < numVariables; ++factor) {
      std::vector<size_t> ends;
      while (ends.size() < 2 + factor % FactorGraph::kMaxUses) {
        size_t end = random_() % numVariables;
        if (std::find(ends.begin(), ends.end(), end) == ends.end())
          ends.push_back(end);
      }
      addFactor(problem, ends);
    }
    return problem;
  }

 private:
  Cost anyCost() { return static_cast<Cost>(random_() % 1000) * 1e-3; }

  FactorGraph variables(size_t number) {
    FactorGraph problem;
    for (size_t v = 0; v < number; ++v) {
      std::vector<Cost>& own = problem.own.emplace_back(2 + random_() % 4);
      for (Cost& cost : own) cost = anyCost();
    }
    return problem;
  }

  size_t addView(FactorGraph& problem, size_t variable) {
    ProjectedVariable view;
    view.variable = variable;
    size_t numStates = problem.own[variable].size();
    view.numProjections = 1 + random_() % numStates;
    for (size_t state = 0; state < numStates; ++state)
      view.projectionOf.push_back(static_cast<State>(
          state < view.numProjections ? state
                                      : random_() % view.numProjections));
    problem.views.push_back(std::move(view));
    return problem.views.size() - 1;
  }

  void addFactor(FactorGraph& problem, const std::vector<size_t>& ends) {
    FactorGraph::Factor factor;
    factor.times = 0.5 * static_cast<double>(1 + random_() % 4);
    for (size_t end : ends) {
      size_t to = addView(problem, end);
      for (size_t from : factor.views) {
        factor.costs.push_back(problem.costs.size());
        ProjectionCosts& costs = problem.costs.emplace_back();
        costs.rows = problem.views[from].numProjections;
        costs.columns = problem.views[to].numProjections;
        for (size_t i = 0; i < costs.rows * costs.columns; ++i)
          costs.costs.push_back(anyCost());
      }
      factor.views.push_back(to);
    }
    problem.factors.push_back(std::move(factor));
  }

  std::mt19937_64 random_;
};

Cost costOf(const FactorGraph& problem, const Assignment& assignment) {
  Cost cost = 0;
  for (size_t v = 0; v < problem.own.size(); ++v)
    cost += problem.own[v][assignment[v]];
  for (const FactorGraph::Factor& factor : problem.factors)
    cost += problem.costOf(factor, assignment);
  return cost;
}

/// Returns the min-marginals, per variable and state, by trying all
/// assignments.
std::vector<std::vector<Cost>> leastWith(const FactorGraph& problem) {
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
    FactorGraph problem = RandomFactors(seed).chain(6);
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
    FactorGraph problem =
        RandomFactors(seed).factor(2 + seed % FactorGraph::kMaxUses);
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
    FactorGraph problem = RandomFactors(seed).treeOfFactors(8);
    Cost optimum = optimumOf(leastWith(problem));
    Messages messages(problem);
    for (int sweep = 0; sweep < 100; ++sweep) messages.sweep();
    EXPECT_LE(messages.bound(), optimum + kRounding) << seed;
    EXPECT_GE(messages.bound(), optimum - 1e-6) << seed;
  }
}

/// Expects that messages are lower bounds of `problem` after each of many
/// sweeps. Returns the gap of the last bound to the optimum.
Cost gapOf(const FactorGraph& problem) {
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
    numTight += gapOf(RandomFactors(seed).graph(6)) < kRounding;
  }
  // Most bounds are tight, though there are cycles.
  EXPECT_GT(numTight, 150);
}

TEST(Messages, of_variables_that_are_alike_are_alike) {
  int numTight = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    FactorGraph problem = RandomFactors(seed).twoBranches(5);
    AlikeVariables alike = alikeVariablesOf(problem);
    for (size_t v = 1; v < 5; ++v)
      EXPECT_EQ(alike.classOf[v], alike.classOf[v + 4]);
    EXPECT_EQ(alike.factorClassOf.front(),
              alike.factorClassOf[problem.factors.size() / 2]);
    numTight += gapOf(problem) < 1e-6;
  }
  // All bounds are tight, as there are no cycles.
  EXPECT_EQ(numTight, 100);
}

TEST(Messages, distinguish_what_is_linked) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    FactorGraph problem = RandomFactors(seed).ring(3 + seed % 4);
    AlikeVariables alike = alikeVariablesOf(problem);
    EXPECT_NE(alike.classOf[0], alike.classOf[1]);
    gapOf(problem);
  }
}

}  // namespace
}  // namespace sbp::search
