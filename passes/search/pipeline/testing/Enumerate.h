// The optimum of a joint problem, by trying all plans.

#ifndef PASSES_SEARCH_PIPELINE_TESTING_ENUMERATE_H_
#define PASSES_SEARCH_PIPELINE_TESTING_ENUMERATE_H_

#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// Returns the seconds of the best plan of `problem` that fits; infinite if
/// none does. Simulates all cases, families, cuts and options.
double leastSecondsOfAll(const JointProblem& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_TESTING_ENUMERATE_H_
