// Heuristic searches without proofs: those that AutoDDL compares (section 4.6).
//
// They serve as a comparison. The result depends only on the problem, the
// number of evaluations and the seed.

#ifndef TOOLS_LAB_LOCALSEARCH_H_
#define TOOLS_LAB_LOCALSEARCH_H_

#include "passes/search/problem/Solution.h"

namespace sbp::search::lab {

/// The number of costs that a heuristic may compute, and the seed of its random
/// numbers.
struct Budget {
  int64_t evaluations = 0;
  uint64_t seed = 0;
};

/// One improvement of the best cost while a heuristic ran. `evaluations` counts
/// computed costs: of a whole assignment, or of an assignment that differs in
/// one variable from an earlier one.
struct Improvement {
  int64_t evaluations = 0;
  Cost cost = kInfiniteCost;
};

/// The result of a heuristic.
struct HeuristicSolution {
  Solution best;
  std::vector<Improvement> improvements;  // in order
};

/// Draws assignments uniformly at random.
HeuristicSolution searchRandomly(const Problem& problem, Budget budget);

/// Random walk: in each step one variable gets another state. If the cost
/// rises, the step is accepted with probability exp(-(new - old) /
/// temperature).
///
/// `relativeTemperature` is the temperature as a fraction of the best cost so
/// far: the paper's 1/beta, whose value the paper does not give.
HeuristicSolution searchByMetropolisHastings(const Problem& problem,
                                             Budget budget,
                                             double relativeTemperature = 0.01);

/// Coordinate descent from a random assignment: sets one variable after the
/// other to its best state while the others keep theirs, until none changes.
/// Repeats this from other random assignments until the budget is used.
HeuristicSolution searchByCoordinateDescent(const Problem& problem,
                                            Budget budget);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_LOCALSEARCH_H_
