// The best plan that a search has found so far.

#ifndef PASSES_SEARCH_PIPELINE_INCUMBENT_H_
#define PASSES_SEARCH_PIPELINE_INCUMBENT_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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

  /// The fastest plans of different cuts, ascending, at most `maxCuts`.
  std::vector<std::pair<double, JointPlan>> cuts;
  int64_t maxCuts = 0;

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
    keepCut(seconds, next);
    if (seconds < this->seconds()) {
      plan = std::move(next);
      cost = std::move(ofNext);
    }
    return seconds;
  }

 private:
  void keepCut(double seconds, const JointPlan& next) {
    if (maxCuts == 0) return;
    const auto isSame = [&](const auto& cut) {
      return cut.second.chosenCase == next.chosenCase &&
             cut.second.ends == next.ends;
    };
    const auto known = std::find_if(cuts.begin(), cuts.end(), isSame);
    if (known != cuts.end() && known->first <= seconds) return;
    if (known != cuts.end()) cuts.erase(known);
    const auto place = std::upper_bound(
        cuts.begin(), cuts.end(), seconds,
        [](double value, const auto& cut) { return value < cut.first; });
    cuts.emplace(place, seconds, next);
    if (static_cast<int64_t>(cuts.size()) > maxCuts) cuts.pop_back();
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_INCUMBENT_H_
