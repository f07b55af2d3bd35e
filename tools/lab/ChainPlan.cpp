#include "tools/lab/ChainPlan.h"

#include "tools/lab/autoddl/NamedPlans.h"

namespace sbp::search::lab {

ChainPlan planFor(const autoddl::MatmulChain& chain, const Link& link,
                  const SolverOptions& options) {
  TimedSolution found = solve(
      [&] {
        return provesAnswer(options.solver)
                   ? autoddl::problemOfCheapPlans(chain, link)
                   : chain.problem(link);
      },
      options);
  return {chain.planOf(found.solution.assignment), found.solution.isOptimal(),
          found.seconds};
}

}  // namespace sbp::search::lab
