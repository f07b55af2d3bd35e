#include "passes/search/pipeline/JointAnswer.h"

#include <algorithm>
#include <limits>

namespace sbp::search {

double JointAnswer::gap() const {
  return plan && cost.seconds > 0 ? (cost.seconds - bound) / cost.seconds : 0;
}

CaseBound JointAnswer::boundOf(
    const std::function<bool(const CaseBound&)>& isMeant) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CaseBound least = {-1, -1, infinite, infinite};
  for (const CaseBound& each : cases) {
    if (!isMeant(each)) continue;
    const double best = std::min(least.best, each.best);
    if (each.bound < least.bound) least = each;
    least.best = best;
  }
  return least;
}

}  // namespace sbp::search
