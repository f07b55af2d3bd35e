#include "passes/search/problem/Solution.h"

#include <algorithm>
#include <cmath>

#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

/// Relative rounding of a sum of costs that are not rounded to ticks.
constexpr double kRounding = 1e-9;

}  // namespace

absl::Status verify(const Problem& problem, const Solution& solution) {
  SBP_ASSIGN_OR_RETURN(const Cost cost, problem.verify(solution.assignment));
  const Cost rounding = kRounding * std::abs(cost);
  if (std::abs(cost - solution.cost) > rounding)
    return error("an assignment that costs {} is said to cost {}", cost,
                 solution.cost);
  if (solution.lowerBound > cost + rounding)
    return error("an assignment costs {}, below the lower bound {}", cost,
                 solution.lowerBound);
  return absl::OkStatus();
}

}  // namespace sbp::search
