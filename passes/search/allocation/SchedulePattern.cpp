#include "passes/search/allocation/SchedulePattern.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "passes/search/allocation/DescendPeriods.h"
#include "passes/search/allocation/PatternTree.h"

namespace sbp::search {
std::optional<Pattern> patternWithin(const StageCosts& costs,
                                     const Allocation& allocation,
                                     double period, int64_t maxNodes) {
  PatternTree tree(costs, allocation);
  if (tree.busiest() > period * (1 + kRounding)) return std::nullopt;
  return tree.search(period, maxNodes).pattern;
}

ScheduledAllocation schedulePattern(const StageCosts& costs,
                                    const Allocation& allocation, double most,
                                    int64_t maxNodes) {
  PatternTree tree(costs, allocation);
  ScheduledAllocation answer;
  double& proven = answer.bound = tree.busiest();
  auto attempt = [&](double period) -> std::optional<double> {
    PatternSearch found =
        tree.search(period, std::min(maxNodes / 4, maxNodes - answer.nodes));
    answer.nodes += found.nodes;
    if (!found.pattern) {
      if (found.isComplete) proven = std::max(proven, period);
      return std::nullopt;
    }
    answer.pattern = std::move(found.pattern);
    return answer.pattern->period;
  };
  // With everything one after the other there is one micro-batch in flight.
  // What does not fit then never does.
  const double low = proven, sequential = tree.sequential();
  double high = std::min(most, sequential);
  if (low > high * (1 + kRounding)) return answer;
  if (const std::optional<double> found = attempt(std::max(low, high))) {
    high = *found;
  } else {
    if (proven >= sequential) proven = std::numeric_limits<double>::infinity();
    return answer;
  }
  if (!attempt(low)) leastPeriodFound(low, high, attempt);
  // Periods that differ by rounding count as equal.
  const double period = answer.pattern->period;
  if (proven >= period * (1 - 4 * kRounding)) proven = period;
  return answer;
}

}  // namespace sbp::search
