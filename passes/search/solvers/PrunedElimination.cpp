#include "passes/search/solvers/PrunedElimination.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/EliminationOrder.h"
#include "passes/search/solvers/TableMessages.h"

namespace sbp::search {
namespace {

/// Additions of an elimination, per entry of the problem's tables, below which
/// messages are not worth their time: about that of a dozen sweeps.
constexpr double kWorthMessages = 100;

/// Sweeps end when kSweepsAtATime of them raise the bound by less than the
/// fraction kLittle of its distance from the guess, when less than the fraction
/// kFew of the entries is left, or after kMostSweeps. Fewer states against more
/// sweeps.
constexpr int kSweepsAtATime = 2, kMostSweeps = 24;
constexpr double kLittle = 0.1, kFew = 0.02;

/// Part of a threshold that rounding may take from bounds.
constexpr double kRounding = 1e-7;

/// Returns the part of `problem` that has only the states that `messages` left.
Problem partOf(const Problem& problem, const TableMessages& messages) {
  Problem part;
  for (int64_t v = 0; v < problem.numVariables(); ++v)
    part.addVariable(problem.variables()[v].name,
                     static_cast<int64_t>(messages.statesOf(v).size()));
  for (const Table& table : problem.tables()) {
    std::vector<size_t> entries = {0};
    for (int64_t v : table.variables) {
      std::vector<size_t> more;
      more.reserve(entries.size() * messages.statesOf(v).size());
      for (size_t entry : entries)
        for (State state : messages.statesOf(v))
          more.push_back(entry * problem.numStates(v) + state);
      entries = std::move(more);
    }
    std::vector<Cost> costs;
    costs.reserve(entries.size());
    for (size_t entry : entries) costs.push_back(table.costs[entry]);
    part.addCosts(table.variables, std::move(costs));
  }
  return part;
}

/// Sets each variable of `assignment` to the state that is the cheapest beside
/// the others, until none changes. Returns the cost.
Cost descend(const Problem& problem, Assignment& assignment) {
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (int64_t v = 0; v < problem.numVariables(); ++v) {
      Cost least = problem.costAround(assignment, v, assignment[v]);
      const State before = assignment[v];
      for (State state = 0; state < problem.numStates(v); ++state)
        if (Cost cost = problem.costAround(assignment, v, state);
            cost < least * (1 - kRounding)) {
          least = cost;
          assignment[v] = state;
        }
      hasChanged |= assignment[v] != before;
    }
  }
  return problem.cost(assignment);
}

EliminationOrder orderOf(const Problem& problem) {
  Neighbours neighbours(problem.numVariables());
  for (const Table& table : problem.tables())
    for (int64_t variable : table.variables)
      for (int64_t other : table.variables)
        if (other != variable) neighbours[variable].insert(other);
  return findEliminationOrder(problem, neighbours);
}

}  // namespace

std::optional<Solution> solveByPrunedElimination(
    const Problem& problem, const EliminationLimits& limits) {
  const EliminationOrder order = orderOf(problem);
  double entries = 0;
  for (const Table& table : problem.tables())
    entries += static_cast<double>(table.costs.size());
  if (order.work < kWorthMessages * entries)
    return solveByElimination(problem, limits);

  TableMessages messages(problem, order.variables);
  Cost guessed = kInfiniteCost;
  for (int sweep = 0; sweep < kMostSweeps; sweep += kSweepsAtATime) {
    const Cost before = messages.bound();
    for (int i = 0; i < kSweepsAtATime; ++i) messages.sweep();
    if (limits.run.isOver()) return std::nullopt;
    Assignment guess = messages.guess();
    guessed = std::min(guessed, descend(problem, guess));
    if (guessed == kInfiniteCost) continue;
    messages.leaveOutAbove(guessed * (1 + kRounding));
    if (static_cast<double>(messages.numEntries()) < kFew * entries ||
        messages.bound() - before < kLittle * (guessed - messages.bound()))
      break;
  }
  if (guessed == kInfiniteCost) return solveByElimination(problem, limits);
  const Problem part = partOf(problem, messages);
  std::optional<Solution> found = solveByElimination(part, limits);
  if (!found) return std::nullopt;
  for (int64_t v = 0; v < problem.numVariables(); ++v)
    found->assignment[v] = messages.statesOf(v)[found->assignment[v]];
  return found;
}

}  // namespace sbp::search
