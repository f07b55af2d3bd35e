// Plans that people write by hand, for a chain of products.

#ifndef PASSES_SEARCH_AUTODDL_NAMEDPLANS_H_
#define PASSES_SEARCH_AUTODDL_NAMEDPLANS_H_

#include "passes/search/Problem.h"
#include "passes/search/autoddl/MatmulChain.h"

namespace sbp::search::autoddl {

/// Megatron-LM's plan on a grid: `replication` groups are data parallel, and
/// within one the weights are split by columns and by rows in turn. One group
/// is 1-D tensor parallelism; as many as devices, data parallelism.
/// `replication` divides the chain's devices.
std::vector<Strategy> megatronPlan(const MatmulChain& chain,
                                   int64_t replication);

/// The fastest of the Megatron grids that the chain's maxReplication allows.
std::vector<Strategy> bestMegatronPlan(const MatmulChain& chain,
                                       const Link& link);

/// The chain's problem for solvers that prove their answer: without what costs
/// more than the best Megatron grid, which no cheapest plan has.
Problem problemOfCheapPlans(const MatmulChain& chain, const Link& link);

}  // namespace sbp::search::autoddl

#endif  // PASSES_SEARCH_AUTODDL_NAMEDPLANS_H_
