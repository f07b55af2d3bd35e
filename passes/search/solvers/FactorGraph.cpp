#include "passes/search/solvers/FactorGraph.h"

#include <algorithm>

namespace sbp::search {

Cost FactorGraph::costOf(const Factor& factor,
                         const Assignment& assignment) const {
  auto projectionAt = [&](size_t end) -> size_t {
    const ProjectedVariable& view = views[factor.views[end]];
    return view.projectionOf[assignment[view.variable]];
  };
  Cost sum = 0;
  for (size_t to = 1; to < factor.views.size(); ++to) {
    Cost least = kInfiniteCost;
    for (size_t from = 0; from < to; ++from) {
      const ProjectionCosts& between = costs[factor.costsOf(from, to)];
      least =
          std::min(least, between.costs[projectionAt(from) * between.columns +
                                        projectionAt(to)]);
    }
    sum += least;
  }
  return factor.times * sum;
}

}  // namespace sbp::search
