// A case with what a search remembers of it: boundaries, prices and fronts,
// which all families share.

#ifndef PASSES_SEARCH_PIPELINE_SEARCHEDCASE_H_
#define PASSES_SEARCH_PIPELINE_SEARCHEDCASE_H_

#include <cstdint>

#include "passes/search/pipeline/Boundaries.h"
#include "passes/search/pipeline/LeastTimes.h"
#include "passes/search/pipeline/RunPricing.h"
#include "passes/search/pipeline/StageFronts.h"

namespace sbp::search {

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
