// A case with what a search remembers of it: boundaries, prices and fronts,
// which all families share.

#ifndef PASSES_SEARCH_PIPELINE_SEARCHEDCASE_H_
#define PASSES_SEARCH_PIPELINE_SEARCHEDCASE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/search/pipeline/Boundaries.h"
#include "passes/search/pipeline/RunPricing.h"
#include "passes/search/pipeline/StageFronts.h"

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

/// A case that is searched. Not copyable, because its members refer to each
/// other.
struct SearchedCase {
  /// All arguments must outlive this object.
  SearchedCase(const JointProblem& problem, int64_t index, const UnitRuns& runs,
               const JointSearchTuning& tuning, SearchWork& work)
      : problem(problem),
        index(index),
        ofCase(problem.cases[index]),
        boundaries(boundariesOf(ofCase, tuning.maxBoundaries)),
        prices(problem, ofCase, boundaries, runs, tuning, work),
        fronts(problem, ofCase, boundaries, runs, prices, tuning, work),
        least(problem, ofCase),
        tuning(tuning),
        work(work) {}
  SearchedCase(const SearchedCase&) = delete;
  SearchedCase& operator=(const SearchedCase&) = delete;

  /// Returns the range of boundaries after a stage: of all, or StageRun::kNone
  /// alone if it is the last one.
  int64_t firstBoundary(bool isLast) const {
    return isLast ? StageRun::kNone : 0;
  }
  int64_t endOfBoundaries(bool isLast) const {
    return isLast ? 0 : static_cast<int64_t>(boundaries.all.size());
  }

  const JointProblem& problem;
  int64_t index;
  const JointCase& ofCase;
  Boundaries boundaries;
  RunPricing prices;
  StageFronts fronts;
  LeastTimes least;
  const JointSearchTuning& tuning;
  SearchWork& work;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_SEARCHEDCASE_H_
