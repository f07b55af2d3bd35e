// The best plan that a search has found so far.

#ifndef PASSES_SEARCH_PIPELINE_INCUMBENT_H_
#define PASSES_SEARCH_PIPELINE_INCUMBENT_H_

#include <limits>
#include <optional>
#include <utility>

#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/JointPlan.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/SearchWork.h"
#include "passes/search/pipeline/StageCost.h"

namespace sbp::search {

/// A plan and its cost; at first, none.
struct Incumbent {
  std::optional<JointPlan> plan;
  JointCost cost;

  /// Returns the seconds of the plan; infinite without one.
  double seconds() const {
    return plan ? cost.seconds : std::numeric_limits<double>::infinity();
  }

  /// Simulates `next` with the table of its family, and takes it if it is
  /// better. Returns its seconds; infinite if it does not fit.
  double simulate(const JointProblem& problem, const FamilyTable& table,
                  JointPlan next, SearchWork& work) {
    const std::vector<StageCost> costs = stageCosts(problem, next);
    JointCost ofNext;
    ofNext.bytes = table.bytesOf(costs);
    for (double bytes : ofNext.bytes)
      if (bytes > problem.room())
        return std::numeric_limits<double>::infinity();
    ++work.tables;
    const double seconds = ofNext.seconds = table.secondsOf(costs);
    if (seconds < this->seconds()) {
      plan = std::move(next);
      cost = std::move(ofNext);
    }
    return seconds;
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_INCUMBENT_H_
