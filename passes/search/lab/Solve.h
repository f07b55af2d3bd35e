// Running one of the solvers by name, against the clock.

#ifndef PASSES_SEARCH_LAB_SOLVE_H_
#define PASSES_SEARCH_LAB_SOLVE_H_

#include <functional>

#include "passes/search/solvers/Heuristics.h"

namespace sbp::search::lab {

enum class Solver {
  Exhaustive,
  Elimination,
  CoordinateDescent,
  MetropolisHastings,
  Random,
};

/// Whether no plan is cheaper than what the solver answers.
inline bool provesAnswer(Solver solver) {
  return solver == Solver::Exhaustive || solver == Solver::Elimination;
}

struct SolverOptions {
  Solver solver = Solver::Elimination;
  Budget budget;  // of heuristics
};

struct TimedSolution {
  Solution solution;
  std::vector<Improvement> improvements;  // of heuristics
  double seconds = 0;  // to write the problem down, and to solve it
};

/// Solves the problem that `makeProblem` makes.
TimedSolution solve(const std::function<Problem()>& makeProblem,
                    const SolverOptions& options);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_SOLVE_H_
