// Searches for the plan of a joint problem that takes the least time, with a
// lower bound of all plans.
//
// Each case and family is searched under growing limits of time: labels give a
// bound of all its plans (PipeLabels.h, MeanBound.h), and if the bound is below
// the limit, plans are made and simulated (CaseSearch.h). Cases whose bound is
// not below the best plan so far are done. The bound of all plans is the least
// bound of a case that is not done, or the time of the best plan.

#ifndef PASSES_SEARCH_PIPELINE_SEARCHJOINTPLAN_H_
#define PASSES_SEARCH_PIPELINE_SEARCHJOINTPLAN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "passes/search/pipeline/JointPlan.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/JointSearchTuning.h"
#include "passes/search/pipeline/SearchWork.h"

namespace sbp::search {

/// What is known of the plans of one case and family.
struct CaseBound {
  int64_t ofCase = 0, family = 0;  // indices in the problem
  double bound = 0;                // seconds; infinite if no plan fits
  double best = 0;  // seconds of a plan that was found; infinite if none was
};

/// The answer of a search.
struct JointAnswer {
  std::optional<JointPlan> plan;  // none if none was found that fits
  JointCost cost;                 // of the plan
  /// No plan takes less than this many seconds; infinite if no plan fits.
  double bound = 0;
  /// Index in `cases` of the least bound, if it is below the plan's time.
  std::optional<int64_t> boundHolder;
  std::vector<CaseBound> cases;  // with a table, by case and family
  SearchWork work;

  /// Returns (seconds - bound) / seconds; 0 if there is no plan.
  double gap() const;

  /// Returns the least bound, and the least time found, of the cases for which
  /// `isMeant` returns true: of all plans with 4 workers, for example. Both are
  /// infinite if there are none.
  CaseBound boundOf(const std::function<bool(const CaseBound&)>& isMeant) const;
};

/// Searches for the best plan of `problem`, which must have passed check().
/// `known` are plans to start from; those that verify() refuses are left out.
/// The answer is never worse than any of them. Equal arguments have equal
/// answers.
JointAnswer searchJointPlan(const JointProblem& problem,
                            const JointSearchTuning& tuning = {},
                            const std::vector<JointPlan>& known = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_SEARCHJOINTPLAN_H_
