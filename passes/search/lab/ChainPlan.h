// A plan of AutoDDL's space (autoddl/MatmulChain.h) by the solver of one's
// choice.
//
// Those that prove their answer are given only plans that can be the best;
// heuristics walk over all of them, as the paper's do.

#ifndef PASSES_SEARCH_LAB_CHAINPLAN_H_
#define PASSES_SEARCH_LAB_CHAINPLAN_H_

#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "passes/search/autoddl/MatmulChain.h"
#include "passes/search/lab/Solve.h"

namespace sbp::search::lab {

struct ChainPlan {
  std::vector<autoddl::Strategy> strategies;  // per product
  /// Whether no plan costs less, to the rounding of a double.
  bool isProven = false;
  double searchSeconds = 0;
};

/// The plan of `chain` that a solver finds, where collectives take as long as
/// `link` says: seconds per round, and per element.
ChainPlan planFor(const autoddl::MatmulChain& chain, const Link& link,
                  const SolverOptions& options);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_CHAINPLAN_H_
