// The answer of a search for a joint plan: a plan, a bound of all plans, and
// bounds of parts of the problem, which answer "what if".

#ifndef PASSES_SEARCH_PIPELINE_JOINTANSWER_H_
#define PASSES_SEARCH_PIPELINE_JOINTANSWER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "passes/search/pipeline/CaseBound.h"
#include "passes/search/pipeline/JointPlan.h"
#include "passes/search/pipeline/ReorderPlan.h"
#include "passes/search/pipeline/SearchWork.h"

namespace sbp::search {

/// The answer of a search.
struct JointAnswer {
  std::optional<JointPlan> plan;  // none if none was found that fits
  JointCost cost;                 // of the plan
  /// No plan takes less than this many seconds; infinite if no plan fits.
  double bound = 0;
  /// Index in `cases` of the least bound, if it is below the plan's time.
  std::optional<int64_t> boundHolder;
  std::vector<CaseBound> cases;  // with a table, by case and family
  /// The fastest plan with an order of its own, if it is faster than `plan`
  /// (JointSearchTuning::maxReordered). `bound` is one of plans by families.
  std::optional<ReorderedPlan> reordered;
  SearchWork work;

  /// Returns (seconds - bound) / seconds; 0 if there is no plan.
  double gap() const;

  /// Returns the least bound, and the least time found, of the cases for which
  /// `isMeant` returns true: of all plans with 4 workers, for example. Both are
  /// infinite if there are none.
  CaseBound boundOf(const std::function<bool(const CaseBound&)>& isMeant) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_JOINTANSWER_H_
