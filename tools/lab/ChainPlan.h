// A plan of AutoDDL's space (autoddl/MatmulChain.h), by any solver.
//
// Solvers that prove their answer get the problem without very expensive
// choices (problemOfCheapPlans in autoddl/NamedPlans.h). Local search gets the
// whole problem, as in the paper.

#ifndef TOOLS_LAB_CHAINPLAN_H_
#define TOOLS_LAB_CHAINPLAN_H_

#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "tools/lab/Solve.h"
#include "tools/lab/autoddl/MatmulChain.h"

namespace sbp::search::lab {

/// The plan of one chain.
struct ChainPlan {
  std::vector<autoddl::Strategy> strategies;  // per product
  /// Whether no plan costs less, up to the rounding of doubles.
  bool isProven = false;
  double searchSeconds = 0;
};

/// Returns the plan of `chain` that a solver finds. The alpha of `link` is
/// seconds per round, its beta seconds per element.
ChainPlan planFor(const autoddl::MatmulChain& chain, const Link& link,
                  const SolverOptions& options);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_CHAINPLAN_H_
