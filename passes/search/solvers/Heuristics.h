// Searches that prove nothing: the ones that AutoDDL compares (section 4.6).
//
// They are here to be compared with, and for problems too wide for an exact
// search. All are given a number of evaluations and a seed, and answer the same
// for the same seed.

#ifndef PASSES_SEARCH_SOLVERS_HEURISTICS_H_
#define PASSES_SEARCH_SOLVERS_HEURISTICS_H_

#include "passes/search/solvers/Solution.h"

namespace sbp::search {

struct Budget {
  int64_t evaluations = 0;
  uint64_t seed = 0;
};

/// How the best cost fell while a heuristic ran. One evaluation is one price:
/// of a whole assignment, or of one that differs in one variable from one that
/// has been priced.
struct Improvement {
  int64_t evaluations = 0;
  Cost cost = kInfiniteCost;
};

struct HeuristicSolution {
  Solution best;
  std::vector<Improvement> improvements;  // in order
};

/// Draws assignments, each with the same probability.
HeuristicSolution searchRandomly(const Problem& problem, Budget budget);

/// Walks from assignment to assignment: one variable gets another state, and a
/// worse cost is accepted with probability exp(-(new - old) / temperature).
///
/// `relativeTemperature` is the temperature as a fraction of the best cost so
/// far: the paper's 1/beta, which it does not tell.
HeuristicSolution searchByMetropolisHastings(const Problem& problem,
                                             Budget budget,
                                             double relativeTemperature = 0.01);

/// From a random assignment, gives one variable after the other its best state
/// while the others stay, until none changes; then begins again elsewhere.
HeuristicSolution searchByCoordinateDescent(const Problem& problem,
                                            Budget budget);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_HEURISTICS_H_
