#include "tools/lab/Solve.h"

#include <chrono>

#include "passes/search/solvers/Elimination.h"
#include "tools/lab/Exhaustive.h"

namespace sbp::search::lab {

TimedSolution solve(const std::function<Problem()>& makeProblem,
                    const SolverOptions& options) {
  auto begin = std::chrono::steady_clock::now();
  Problem problem = makeProblem();
  TimedSolution timed;
  auto take = [&](HeuristicSolution found) {
    timed.solution = std::move(found.best);
    timed.improvements = std::move(found.improvements);
  };
  switch (options.solver) {
    case Solver::Exhaustive:
      timed.solution = solveExhaustively(problem);
      break;
    case Solver::Elimination:
      // A chain has tables of two variables only, so elimination never takes
      // too much.
      timed.solution = *solveByElimination(problem);
      break;
    case Solver::CoordinateDescent:
      take(searchByCoordinateDescent(problem, options.budget));
      break;
    case Solver::MetropolisHastings:
      take(searchByMetropolisHastings(problem, options.budget));
      break;
    case Solver::Random:
      take(searchRandomly(problem, options.budget));
      break;
  }
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  timed.seconds = elapsed.count();
  return timed;
}

}  // namespace sbp::search::lab
