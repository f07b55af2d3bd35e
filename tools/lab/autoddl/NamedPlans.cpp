#include "tools/lab/autoddl/NamedPlans.h"

namespace sbp::search::autoddl {

std::vector<Strategy> megatronPlan(const MatmulChain& chain,
                                   int64_t replication) {
  int64_t split = chain.devices / replication;
  std::vector<Strategy> plan;
  for (size_t i = 0; i < chain.products.size(); ++i)
    plan.push_back(i % 2 == 0 ? Strategy{replication, split, 1}
                              : Strategy{replication, 1, split});
  return plan;
}

std::vector<Strategy> bestMegatronPlan(const MatmulChain& chain,
                                       const Link& link) {
  std::vector<Strategy> best = megatronPlan(chain, 1);
  for (int64_t p0 = 2; p0 <= chain.maxReplication; ++p0) {
    if (chain.devices % p0 != 0) continue;
    std::vector<Strategy> plan = megatronPlan(chain, p0);
    if (link.seconds(chain.traffic(plan)) < link.seconds(chain.traffic(best)))
      best = std::move(plan);
  }
  return best;
}

Problem problemOfCheapPlans(const MatmulChain& chain, const Link& link) {
  std::vector<Strategy> known = bestMegatronPlan(chain, link);
  return chain.problem(link, /*most=*/link.seconds(chain.traffic(known)));
}

}  // namespace sbp::search::autoddl
