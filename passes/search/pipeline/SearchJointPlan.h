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

#include <vector>

#include "passes/search/pipeline/JointAnswer.h"
#include "passes/search/pipeline/JointPlan.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/JointSearchTuning.h"

namespace sbp::search {

/// Searches for the best plan of `problem`, which must have passed check().
/// `known` are plans to start from; those that verify() refuses are left out.
/// The answer is never worse than any of them. Equal arguments have equal
/// answers.
JointAnswer searchJointPlan(const JointProblem& problem,
                            const JointSearchTuning& tuning = {},
                            const std::vector<JointPlan>& known = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_SEARCHJOINTPLAN_H_
