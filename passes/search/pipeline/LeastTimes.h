// The least times of a case's units, whatever else a plan chooses.

#ifndef PASSES_SEARCH_PIPELINE_LEASTTIMES_H_
#define PASSES_SEARCH_PIPELINE_LEASTTIMES_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/TimeWeights.h"

namespace sbp::search {

/// The sums over the first units of their least times, whatever the layouts and
/// the memory, in seconds per micro-batch.
struct LeastTimes {
  std::vector<double> forward, pass, all;  // by number of units

  LeastTimes(const JointProblem& problem, const JointCase& ofCase) {
    constexpr TimeWeights kForward = {1, 0, 0, 0}, kPass = {1, 1, 0, 0},
                          kAll = {1, 1, 1, 0};
    for (auto [sums, weights] :
         {std::pair(&forward, kForward), std::pair(&pass, kPass),
          std::pair(&all, kAll)}) {
      std::vector<double> byKind;
      for (const std::vector<UnitOption>& options : ofCase.options) {
        byKind.push_back(weights.of(options[0]));
        for (const UnitOption& option : options)
          byKind.back() = std::min(byKind.back(), weights.of(option));
      }
      sums->push_back(0);
      for (int64_t kind : problem.kinds)
        sums->push_back(sums->back() + byKind[kind]);
    }
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_LEASTTIMES_H_
