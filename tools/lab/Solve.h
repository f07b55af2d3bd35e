// Runs a solver that is given by name, and measures its time.

#ifndef TOOLS_LAB_SOLVE_H_
#define TOOLS_LAB_SOLVE_H_

#include <functional>

#include "tools/lab/LocalSearch.h"

namespace sbp::search::lab {

enum class Solver {
  Exhaustive,
  Elimination,
  CoordinateDescent,
  MetropolisHastings,
  Random,
};

/// Whether the solver proves that no plan is cheaper than its own.
inline bool provesAnswer(Solver solver) {
  return solver == Solver::Exhaustive || solver == Solver::Elimination;
}

/// The solver to run, and its options.
struct SolverOptions {
  Solver solver = Solver::Elimination;
  Budget budget;  // for heuristics only
};

/// A solution, and the time that it took.
struct TimedSolution {
  Solution solution;
  std::vector<Improvement> improvements;  // by heuristics only
  double seconds = 0;                     // to make the problem and to solve it
};

/// Solves the problem that `makeProblem` makes.
TimedSolution solve(const std::function<Problem()>& makeProblem,
                    const SolverOptions& options);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_SOLVE_H_
