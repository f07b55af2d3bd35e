// Plans that people write by hand for a chain of products (MatmulChain.h).

#ifndef TOOLS_LAB_AUTODDL_NAMEDPLANS_H_
#define TOOLS_LAB_AUTODDL_NAMEDPLANS_H_

#include "passes/search/problem/Problem.h"
#include "tools/lab/autoddl/MatmulChain.h"

namespace sbp::search::autoddl {

/// Returns Megatron-LM's plan on a grid of `replication` data-parallel groups:
/// within a group, weights are split by columns and by rows alternately. A
/// replication of 1 is 1-D tensor parallelism; one of all devices is data
/// parallelism. `replication` must divide the chain's devices.
std::vector<Strategy> megatronPlan(const MatmulChain& chain,
                                   int64_t replication);

/// Returns the fastest Megatron grid that the chain's maxReplication allows.
std::vector<Strategy> bestMegatronPlan(const MatmulChain& chain,
                                       const Link& link);

/// Returns the chain's problem for solvers that prove their answer. Single
/// costs above the cost of the best Megatron grid are forbidden: a plan that
/// pays one of them is not the cheapest.
Problem problemOfCheapPlans(const MatmulChain& chain, const Link& link);

}  // namespace sbp::search::autoddl

#endif  // TOOLS_LAB_AUTODDL_NAMEDPLANS_H_
