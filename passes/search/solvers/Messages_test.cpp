// Messages are bounds, and on chains the optimum.

#include "passes/search/solvers/Messages.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

/// Variables of a few states, some of which look alike to each link.
class RandomLinks {
 public:
  explicit RandomLinks(uint64_t seed) : random_(seed) {}

  LinkedProblem chain(size_t numVariables) {
    LinkedProblem problem = variables(numVariables);
    for (size_t v = 0; v + 1 < numVariables; ++v) addLink(problem, v, v + 1);
    return problem;
  }

  /// A chain with links across, some between the same two variables.
  LinkedProblem graph(size_t numVariables) {
    LinkedProblem problem = chain(numVariables);
    for (size_t link = 0; link < numVariables; ++link) {
      size_t a = random_() % numVariables, b = random_() % numVariables;
      if (a != b) addLink(problem, a, b);
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

  void addLink(LinkedProblem& problem, size_t a, size_t b) {
    LinkedProblem::Link link;
    link.rows = addView(problem, a);
    link.columns = addView(problem, b);
    link.costs = problem.costs.size();
    link.times = 0.5 * static_cast<double>(1 + random_() % 4);
    FaceCosts costs;
    costs.rows = problem.views[link.rows].numFaces;
    costs.columns = problem.views[link.columns].numFaces;
    for (size_t i = 0; i < costs.rows * costs.columns; ++i)
      costs.costs.push_back(anyCost());
    problem.costs.push_back(std::move(costs));
    problem.links.push_back(link);
  }

  std::mt19937_64 random_;
};

Cost costOf(const LinkedProblem& problem, const Assignment& assignment) {
  Cost cost = 0;
  for (size_t v = 0; v < problem.own.size(); ++v)
    cost += problem.own[v][assignment[v]];
  auto faceAt = [&](size_t index) {
    const FacedVariable& view = problem.views[index];
    return view.faceOf[assignment[view.variable]];
  };
  for (const LinkedProblem::Link& link : problem.links) {
    const FaceCosts& costs = problem.costs[link.costs];
    cost +=
        link.times *
        costs.costs[faceAt(link.rows) * costs.columns + faceAt(link.columns)];
  }
  return cost;
}

/// Per variable and state, the least cost with it, by trying all assignments.
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

constexpr Cost kRounding = 1e-9;

TEST(Messages, are_the_optimum_of_a_chain_after_one_sweep) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    LinkedProblem problem = RandomLinks(seed).chain(6);
    auto least = leastWith(problem);
    Cost optimum = *std::min_element(least[0].begin(), least[0].end());
    Messages messages(problem);
    messages.sweep();
    EXPECT_NEAR(messages.bound(), optimum, kRounding) << seed;
    messages.sweep();
    for (size_t v = 0; v < least.size(); ++v)
      for (size_t state = 0; state < least[v].size(); ++state)
        EXPECT_NEAR(messages.with()[v][state], least[v][state], kRounding)
            << seed;
  }
}

TEST(Messages, never_promise_more_than_an_assignment_costs) {
  int numTight = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    LinkedProblem problem = RandomLinks(seed).graph(6);
    auto least = leastWith(problem);
    Cost optimum = *std::min_element(least[0].begin(), least[0].end());
    Messages messages(problem);
    Cost before = 0;
    for (int sweep = 0; sweep < 50; ++sweep) {
      messages.sweep();
      EXPECT_GE(messages.bound(), before) << seed;
      EXPECT_LE(messages.bound(), optimum + kRounding) << seed;
      before = messages.bound();
      for (size_t v = 0; v < least.size(); ++v)
        for (size_t state = 0; state < least[v].size(); ++state)
          EXPECT_LE(messages.with()[v][state], least[v][state] + kRounding)
              << seed << ", sweep " << sweep;
    }
    numTight += messages.bound() > optimum - kRounding;
  }
  // Though there are cycles.
  EXPECT_GT(numTight, 150);
}

}  // namespace
}  // namespace sbp::search
