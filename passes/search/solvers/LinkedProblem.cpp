#include "passes/search/solvers/LinkedProblem.h"

#include <algorithm>

namespace sbp::search {

Cost LinkedProblem::costOf(const Fan& fan, const Assignment& assignment) const {
  auto faceAt = [&](size_t end) -> size_t {
    const FacedVariable& view = views[fan.views[end]];
    return view.faceOf[assignment[view.variable]];
  };
  Cost sum = 0;
  for (size_t to = 1; to < fan.views.size(); ++to) {
    Cost least = kInfiniteCost;
    for (size_t from = 0; from < to; ++from) {
      const FaceCosts& between = costs[fan.costsOf(from, to)];
      least = std::min(
          least, between.costs[faceAt(from) * between.columns + faceAt(to)]);
    }
    sum += least;
  }
  return fan.times * sum;
}

}  // namespace sbp::search
